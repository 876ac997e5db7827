// A tool client over the standard input and output of `leaddb mcp`.

export interface ToolClient {
  // biome-ignore lint/suspicious/noExplicitAny: answers of any tool
  call(tool: string, input: object): Promise<any>
  close(): Promise<number>
}

interface Waiting {
  resolve(answer: object): void
  reject(error: Error): void
}

interface StdioOptions {
  program: readonly string[]
  folder: string
  account: string
}

/** Starts the process and greets it. A call rejects when the tool answers with an error. */
export async function openToolClient({ program, folder, account }: StdioOptions): Promise<ToolClient> {
  const child = Bun.spawn([...program, "mcp", "--account", account], {
    env: { PATH: process.env.PATH ?? "", LEADDB_DATA: folder },
    cwd: folder,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  })
  const waiting = new Map<number, Waiting>()
  let last = 0

  async function read(): Promise<void> {
    const decoder = new TextDecoder()
    let text = ""
    for await (const chunk of child.stdout) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split("\n")
      text = lines.pop()!
      for (const line of lines) settle(JSON.parse(line))
    }
    for (const { reject } of waiting.values()) reject(new Error("leaddb mcp has ended"))
  }

  function settle({ id, result, error }: { id?: number; result?: object; error?: object }): void {
    const call = id === undefined ? undefined : waiting.get(id)
    if (!call) return
    waiting.delete(id!)
    if (result) call.resolve(result)
    else call.reject(new Error(JSON.stringify(error)))
  }

  function send(message: object): void {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    child.stdin.flush()
  }

  function ask(method: string, params: object): Promise<object> {
    const id = ++last
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      send({ id, method, params })
    })
  }

  void read()
  const clientInfo = { name: "torture", version: "1" }
  await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo })
  send({ method: "notifications/initialized" })
  return {
    async call(tool, input) {
      const result = (await ask("tools/call", { name: tool, arguments: input })) as {
        structuredContent: { data?: object; error?: object }
      }
      const answer = result.structuredContent
      if (answer.error) throw new Error(`${tool}: ${JSON.stringify(answer.error)}`)
      return answer.data
    },
    async close() {
      child.stdin.end()
      return child.exited
    },
  }
}
