// What is inside the executable, as a CycloneDX document: the packages whose files the bundler took, for the service
// and for the dashboard, and the runtime. The same sources give the same document.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Contrib, Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library"

const ROOT = join(import.meta.dir, "../..")
const ENTRIES = [
  { entry: "src/main.ts", target: "bun" },
  { entry: "src/dashboard/main.tsx", target: "browser" },
] as const
export const SBOM_VERSION = Spec.Version.v1dot6

interface Package {
  name: string
  version: string
  dependencies?: Record<string, string>
}

const { Builders, Factories, Utils } = Contrib.FromNodePackageJson
const components = new Builders.ComponentBuilder(
  new Factories.ExternalReferenceFactory(),
  new Contrib.License.Factories.LicenseFactory((text) => {
    // None of them has more than one: an expression would have to be read first.
    throw new Error(`${text} is not the name of a license`)
  }),
)

/** Writes the document. Throws when the sources cannot be bundled. */
export async function writeSbom(path: string): Promise<string> {
  await Bun.write(path, await makeSbom())
  return path
}

export async function makeSbom(): Promise<string> {
  const lock: Record<string, { integrity?: string }> = JSON.parse(
    readFileSync(join(ROOT, "package-lock.json"), "utf8"),
  ).packages
  const own = read("")
  const bom = new Models.Bom()
  const main = component(own, Enums.ComponentType.Application)
  bom.metadata.component = main
  bom.metadata.tools.tools.add(new Models.Tool({ name: "leaddb build", version: own.version }))
  const parts = new Map<string, Models.Component>()
  for (const folder of [...(await bundled()), "node_modules/bun"]) {
    const isRuntime = folder === "node_modules/bun"
    const part = component(
      read(folder),
      isRuntime ? Enums.ComponentType.Platform : Enums.ComponentType.Library,
    )
    const integrity = lock[folder]?.integrity
    if (integrity !== undefined) {
      const [algorithm, content] = Utils.parsePackageIntegrity(integrity)
      part.hashes.set(algorithm, content)
    }
    parts.set(folder, part)
    bom.components.add(part)
  }
  for (const [folder, part] of [["", main] as const, ...parts]) {
    for (const name of Object.keys(read(folder).dependencies ?? {})) {
      const used = [`${folder}/node_modules/${name}`, `node_modules/${name}`].map((at) => parts.get(at))
      const found = used.find((one) => one !== undefined)
      if (found) part.dependencies.add(found.bomRef)
    }
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** Folders of the packages that the bundler takes files from, as `node_modules/NAME`. */
async function bundled(): Promise<string[]> {
  const folders = new Set<string>()
  for (const { entry, target } of ENTRIES) {
    const { metafile } = await Bun.build({
      entrypoints: [join(ROOT, entry)],
      target,
      splitting: true,
      format: "esm",
      metafile: true,
    })
    for (const path of Object.keys(metafile?.inputs ?? {})) {
      const folder = /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
      if (folder) folders.add(folder)
    }
  }
  return [...folders].toSorted()
}

function read(folder: string): Package {
  return JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"))
}

function component(data: Package, type: Enums.ComponentType): Models.Component {
  const made = components.makeComponent(data, type)
  if (!made) throw new Error(`${data.name} cannot be described`)
  made.purl = `pkg:npm/${data.name.replace("@", "%40")}@${data.version}`
  made.bomRef.value = made.purl
  return made
}
