// The generated part of the Python client: types of bodies and answers, and a method for each call.
import { type Call, type Field, type Model, typeNames } from "./model.ts"

export function pythonText({ structs, calls }: Model): string {
  const types = structs.map(
    ({ name, fields }) => `${name} = TypedDict("${name}", {${fields.map(entry).join(", ")}}, total=False)`,
  )
  return `
${types.join("\n")}


class Leaddb(_Transport):
    """The calls of the service. What goes wrong is a LeaddbError."""
${calls.map(methodOf).join("")}
    def leads(self, **query: Any) -> Iterator[ListedLead]:
        """All leads of a query, read page after page; \`\`limit\`\` is the size of a page."""
        cursor = None
        while True:
            page = self.list_leads(**{**query, **({"cursor": cursor} if cursor else {})})
            yield from page["leads"]
            cursor = page["next_cursor"]
            if cursor is None:
                return
`
}

function entry({ name, type, isNullable }: Field): string {
  const text = typeText(type)
  return `"${name}": "${isNullable ? `Optional[${text}]` : text}"`
}

const typeText = typeNames({
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  map: "Dict[str, Any]",
  any: "Any",
  list: (item) => `List[${item}]`,
})

function methodOf({ name, about, method, path, pathNames, query, body, answer }: Call): string {
  const parameters = [
    "self",
    ...pathNames.map((one) => `${one}: str`),
    ...(body ? [`body: "${typeText(body)}"`] : []),
    ...(query ? ["**query: Any"] : []),
  ]
  const result = answer === undefined ? "None" : answer === "file" ? "Any" : typeText(answer)
  const target =
    pathNames.length === 0
      ? `"${path}"`
      : `"${path.replaceAll(/\{\w+\}/g, "%s")}" % (${pathNames.map((one) => `_path_part(${one})`).join(", ")},)`
  const rest = [...(query || body ? [query ? "query" : "None"] : []), ...(body ? ["body"] : [])]
  const names = query ? ` Options: ${query.fields.map((field) => field.name).join(", ")}.` : ""
  return `
    def ${name}(${parameters.join(", ")}) -> ${result}:
        """${about}.${names}"""
        ${answer === undefined ? "" : "return "}self.request("${method}", ${[target, ...rest].join(", ")})
`
}
