// Talks to the program that shows a page (MCP Apps): JSON-RPC in messages to the window around it.
// biome-ignore lint/correctness/noUnusedVariables: the page's own script, behind this one, uses it
const host = (() => {
  const waiting = new Map()
  let last = 0
  let input = {}
  let show = () => {}

  const send = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*")

  function request(method, params) {
    last += 1
    send({ id: last, method, params })
    return new Promise((resolve, reject) => waiting.set(last, { resolve, reject }))
  }

  /** Takes the theme and the colors of the program. */
  function dress({ theme, styles } = {}) {
    const { style } = document.documentElement
    if (theme) style.colorScheme = theme
    for (const [name, value] of Object.entries(styles?.variables ?? {})) style.setProperty(name, value)
  }

  const heard = {
    "ui/notifications/tool-input": (params) => {
      input = params.arguments ?? {}
    },
    "ui/notifications/tool-result": (result) => show(dataOf(result), input),
    "ui/notifications/tool-cancelled": () => show({ error: "The call was cancelled" }, input),
    "ui/notifications/host-context-changed": dress,
    "ui/resource-teardown": () => {},
    ping: () => {},
  }

  window.addEventListener("message", ({ data, source }) => {
    if (source !== window.parent || data?.jsonrpc !== "2.0") return
    const { id, method, params, result, error } = data
    if (method === undefined) {
      const request = waiting.get(id)
      waiting.delete(id)
      if (error) request?.reject(new Error(error.message))
      else request?.resolve(result)
      return
    }
    heard[method]?.(params ?? {})
    if (id !== undefined && heard[method]) send({ id, result: {} })
    else if (id !== undefined)
      send({ id, error: { code: -32601, message: `${method} is not for this page` } })
  })

  /** The data of a tool's answer, or `{error}` with its message. */
  function dataOf({ structuredContent, content, isError }) {
    const { data, error } = structuredContent ?? {}
    if (isError || error) return { error: error?.message ?? content?.[0]?.text ?? "The call failed" }
    return data ?? {}
  }

  return {
    /** Begins: `shown` is called with the data and the arguments of the call that the page is about. */
    async start(shown) {
      show = shown
      const appInfo = { name: "leaddb", version: "1.0.0" }
      const { hostContext } = await request("ui/initialize", {
        protocolVersion: "2026-01-26",
        appInfo,
        appCapabilities: {},
      })
      dress(hostContext)
      send({ method: "ui/notifications/initialized", params: {} })
      new ResizeObserver(() => {
        const { scrollWidth: width, scrollHeight: height } = document.documentElement
        send({ method: "ui/notifications/size-changed", params: { width, height } })
      }).observe(document.body)
    },
    /** Calls a tool. Never throws: what goes wrong is `{error}`. */
    call: (name, args) =>
      request("tools/call", { name, arguments: args }).then(dataOf, ({ message }) => ({ error: message })),
    /** An element with its parts; texts are never read as HTML. */
    element(name, properties = {}, ...parts) {
      const made = Object.assign(document.createElement(name), properties)
      made.append(...parts.filter((part) => part !== undefined && part !== null))
      return made
    },
  }
})()
