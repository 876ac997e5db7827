/** Webhooks with due deliveries that nobody was told of yet. */
export interface DueWebhooks {
  /** Without a webhook: any may have some. */
  add(webhook?: number): void
  /** To be called after the commit. */
  tell(): void
}

export function dueWebhooks(onDue?: (webhooks: number[]) => void): DueWebhooks {
  const due = new Set<number | undefined>()
  return {
    add: (webhook) => void due.add(webhook),
    tell() {
      if (due.size === 0) return
      const webhooks = due.has(undefined) ? [] : [...due].filter((webhook) => webhook !== undefined)
      due.clear()
      onDue?.(webhooks)
    },
  }
}
