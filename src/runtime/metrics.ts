// Numbers about the service in the Prometheus text format.
import type { Histogram } from "./vitals.ts"

type Labels = Readonly<Record<string, string>>
export type Sample = readonly [labels: Labels, value: number]

type Histograms = readonly (readonly [labels: Labels, histogram: Histogram])[]

/** One metric; what it is and what it says now. */
export type Metric = { name: string; help: string } & (
  | { type: "counter" | "gauge"; samples: readonly Sample[] }
  | { type: "histogram"; histograms: Histograms }
)

export const METRICS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

const samplesOf = (value: number | readonly Sample[]) =>
  typeof value === "number" ? [[{}, value] as const] : value

export function gauge(name: string, help: string, value: number | readonly Sample[]): Metric {
  return { type: "gauge", name, help, samples: samplesOf(value) }
}

export function counter(name: string, help: string, value: number | readonly Sample[]): Metric {
  return { type: "counter", name, help, samples: samplesOf(value) }
}

export function histogram(name: string, help: string, histograms: Histograms): Metric {
  return { type: "histogram", name, help, histograms }
}

export function renderMetrics(metrics: readonly Metric[]): string {
  return metrics.map(render).join("")
}

function render(metric: Metric): string {
  const { name, help, type } = metric
  const lines =
    metric.type === "histogram"
      ? metric.histograms.flatMap(([labels, histogram]) => histogramLines(name, labels, histogram))
      : metric.samples.map(([labels, value]) => line(name, labels, value))
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`
}

function histogramLines(name: string, labels: Labels, histogram: Histogram): string[] {
  const { upTo, sum, count } = histogram.read()
  return [
    ...upTo.map((value, i) => line(`${name}_bucket`, { ...labels, le: String(histogram.bounds[i]) }, value)),
    line(`${name}_bucket`, { ...labels, le: "+Inf" }, count),
    line(`${name}_sum`, labels, sum),
    line(`${name}_count`, labels, count),
  ]
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}\n`
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")
}
