// A registry of a few packages, as far as npm asks for it.
import { readFileSync } from "node:fs"

interface Packed {
  manifest: { name: string; version: string }
  /** The .tgz. */
  file: string
}

/** Serves packages at a port of its own. */
export function serveRegistry(packages: readonly Packed[]) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      const { origin, pathname } = new URL(url)
      const path = decodeURIComponent(pathname.slice(1))
      const tarball = packages.find(({ manifest }) => path === `${manifest.name}/-/package.tgz`)
      if (tarball) return new Response(Bun.file(tarball.file))
      const found = packages.find(({ manifest }) => path === manifest.name)
      if (!found) return Response.json({ error: "not found" }, { status: 404 })
      const { name, version } = found.manifest
      const hash = new Bun.CryptoHasher("sha512").update(readFileSync(found.file)).digest("base64")
      const dist = { tarball: `${origin}/${name}/-/package.tgz`, integrity: `sha512-${hash}` }
      return Response.json({
        name,
        "dist-tags": { latest: version },
        versions: { [version]: { ...found.manifest, dist } },
      })
    },
  })
  return { url: server.url.href, stop: () => server.stop(true) }
}
