// Pairs of likely duplicates side by side, to be merged or told apart.
{
  const { element, call, start } = host
  const main = document.querySelector("main")
  const LABELS = { created_at: "created", source_id: "source id" }

  const button = (text, onclick, className = "") =>
    element("button", { type: "button", textContent: text, onclick, className })

  function row(name, a, b) {
    const cells = [a[name], b[name]].map((value) =>
      element("td", {}, value === undefined ? "" : String(value)),
    )
    const className = a[name] === b[name] ? "" : "differs"
    return element("tr", { className }, element("th", { scope: "row" }, LABELS[name] ?? name), ...cells)
  }

  function comparison(a, b) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => name !== "id")
    return element("table", {}, element("tbody", {}, ...names.map((name) => row(name, a, b))))
  }

  /** Calls a tool for the pair: asks once more where the answer is a plan, and then shows what was done. */
  async function act(place, { name, args, question, done }) {
    place.replaceChildren(element("p", { role: "status" }, "Working ..."))
    const answer = await call(name, args)
    const again = () => place.replaceChildren(...place.choices)
    if (answer.error) {
      place.replaceChildren(element("p", { role: "alert" }, answer.error), button("Back", again))
    } else if (answer.plan) {
      const goOn = () => act(place, { name, args: { ...args, plan: answer.plan }, question, done })
      place.replaceChildren(element("p", {}, question), button("Yes", goOn, "main"), button("No", again))
    } else {
      done(place, answer)
    }
  }

  const keep = (survivor, loser) => ({
    name: "merge_leads",
    args: { survivor: survivor.id, losers: [loser.id] },
    question: `Merge into ${survivor.name}? You can undo this.`,
    done(place, { merge_id }) {
      const undo = {
        name: "undo_merge",
        args: { id: merge_id },
        question: "Take the merge back?",
        done: () => place.replaceChildren(...place.choices),
      }
      place.replaceChildren(
        element("p", { role: "status" }, "Merged"),
        button("Undo", () => act(place, undo)),
      )
    },
  })

  function choices(pair) {
    const place = element("div", { className: "choices" })
    const apart = {
      name: "dismiss_duplicate",
      args: { id: pair.id },
      question: "Mark as not duplicates?",
      done: () => place.replaceChildren(element("p", { role: "status" }, "Not duplicates")),
    }
    place.choices = [
      button("Keep left", () => act(place, keep(pair.a, pair.b))),
      button("Keep right", () => act(place, keep(pair.b, pair.a))),
      button("Not duplicates", () => act(place, apart)),
    ]
    place.replaceChildren(...place.choices)
    return place
  }

  function card(pair) {
    const title = `${Math.round(pair.probability * 100)} % likely the same`
    const reasons = pair.reasons.map(({ text, bits }) =>
      element("li", { className: bits < 0 ? "against" : "" }, text),
    )
    const state = pair.state === "open" ? choices(pair) : element("p", {}, pair.state)
    const head = element("h2", {}, title)
    return element("section", {}, head, element("ul", {}, ...reasons), comparison(pair.a, pair.b), state)
  }

  function group({ probability, leads }) {
    const names = leads.map(({ name, city, source }) =>
      element("li", {}, [name, city, source].filter(Boolean).join(", ")),
    )
    const title = `${leads.length} leads, ${Math.round(probability * 100)} % likely the same`
    return element("section", {}, element("h2", {}, title), element("ul", {}, ...names))
  }

  start(({ error, duplicates = [], groups = [] }) => {
    const shown = [...duplicates.map(card), ...groups.map(group)]
    if (error) main.replaceChildren(element("p", { role: "alert" }, error))
    else if (shown.length === 0) main.replaceChildren(element("p", {}, "No likely duplicates"))
    else main.replaceChildren(...shown)
  })
}
