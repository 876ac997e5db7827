/** Two ports that were free a moment ago. */
export function freePorts(): [number, number] {
  const listeners = [0, 0].map(() => Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } }))
  const [rest, mcp] = listeners.map(({ port }) => port)
  for (const listener of listeners) listener.stop(true)
  return [rest!, mcp!]
}
