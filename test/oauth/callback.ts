/** A client's own address: answers lead on to another origin, as hosted clients do. */
export function openCallback() {
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>()
  const end = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("<h1>Done</h1>", { headers: { "Content-Type": "text/html" } }),
  })
  const callback = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      resolve(new URL(request.url).searchParams)
      return Response.redirect(`http://127.0.0.1:${end.port}/connected`)
    },
  })
  return {
    url: `http://localhost:${callback.port}/callback`,
    answer,
    async [Symbol.asyncDispose]() {
      await Promise.all([end.stop(true), callback.stop(true)])
    },
  }
}
