// The page Team in a browser: what becomes of what a member made.
import { expect } from "bun:test"
import { browserTest } from "../support/browser.ts"
import { type DashboardService, fillLeads, openDashboard } from "./support.ts"

const URL_OF_HOOK = "http://127.0.0.1:9/hook"

/** Ada, an owner, who made a key, an invitation, a link and a webhook. */
async function fillTeam(service: DashboardService): Promise<void> {
  await fillLeads(service)
  const { body: ada } = await service.call("POST", "/members", { name: "Ada Lovelace", role: "owner" })
  const password = "a long enough sentence"
  const joined = await service.as("")("POST", "/members/join", { invite: ada.invite, password })
  const headers = {
    Cookie: joined.headers.get("set-cookie")!.split(";")[0]!,
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/json",
  }
  const made = async (path: string, body: object) => {
    const response = await fetch(service.url + path, { method: "POST", headers, body: JSON.stringify(body) })
    expect([path, response.status]).toEqual([path, 201])
    return (await response.json()) as { id: string }
  }
  const segment = await made("/segments", { name: "All of them" })
  await made("/links", { segment: segment.id, fields: ["name"] })
  await made("/webhooks", { url: URL_OF_HOOK })
  await made("/api-keys", { name: "Ada's key" })
  await made("/members", { name: "Grace" })
}

browserTest(
  "a member is removed: links stop and webhooks stay unless chosen, and both are shown",
  async () => {
    await using dashboard = await openDashboard(fillTeam, { path: "/team" })
    const { page, service, complaints } = dashboard
    await page.getByRole("button", { name: "Remove Ada Lovelace" }).click()
    const asked = page.getByRole("dialog", { name: "Remove Ada Lovelace?" })
    expect(await asked.getByLabel("Public links that they made").inputValue()).toBe("stop")
    expect(await asked.getByLabel("Webhooks that they made").inputValue()).toBe("keep")
    await asked.getByRole("button", { name: "Remove" }).click()
    const answer = page.getByRole("dialog", { name: "What Ada Lovelace made" })
    const text = await answer.innerText()
    for (const part of ["Ada's key", "Grace", "1 public link", "1 session", `${URL_OF_HOOK} goes on`])
      expect(text).toContain(part)
    expect((await service.call("GET", "/links")).body).toEqual([])
    expect((await service.call("GET", "/webhooks")).body).toMatchObject([{ active: true }])
    await answer.getByRole("link", { name: URL_OF_HOOK }).click()
    await page.getByRole("heading", { name: "Webhooks" }).waitFor()
    expect(complaints).toEqual([])
  },
)

browserTest(
  "the choices are kept to, in German as well, and a lower role shows what it takes away",
  async () => {
    await using dashboard = await openDashboard(fillTeam, { path: "/team", locale: "de-DE" })
    const { page, service } = dashboard
    await page.getByRole("combobox", { name: "Rolle von Ada Lovelace" }).selectOption("editor")
    const lowered = page.getByRole("dialog", { name: "Was Ada Lovelace erstellt hat" })
    expect(await lowered.innerText()).toContain("Ada's key")
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Ada Lovelace entfernen" }).click()
    const asked = page.getByRole("dialog", { name: "Ada Lovelace entfernen?" })
    await asked.getByLabel("Öffentliche Links dieser Person").selectOption("keep")
    await asked.getByLabel("Webhooks dieser Person").selectOption("stop")
    await asked.getByRole("button", { name: "Entfernen" }).click()
    await page.getByRole("dialog").getByText("ausgeschaltet").waitFor()
    expect((await service.call("GET", "/links")).body).toHaveLength(1)
    expect((await service.call("GET", "/webhooks")).body).toMatchObject([{ active: false }])
  },
)
