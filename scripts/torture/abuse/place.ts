import type { Service } from "../service.ts"

/** One more account without limits on the file of a service; answers with its owner key. */
export async function newAccount(service: Service, plan = "enterprise"): Promise<string> {
  const { code, out, err } = await service.run([
    "accounts",
    "create",
    "--name",
    "another",
    "--plan",
    plan,
    "--json",
  ])
  if (code !== 0) throw new Error(`accounts create: ${err}`)
  return JSON.parse(out).api_key
}

/** Two ports that were free a moment ago. */
export function freePorts(): [number, number] {
  const listeners = [0, 0].map(() => Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } }))
  const [rest, mcp] = listeners.map(({ port }) => port)
  for (const listener of listeners) listener.stop(true)
  return [rest!, mcp!]
}
