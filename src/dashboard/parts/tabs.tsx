interface Props {
  label: string
  tabs: readonly { title: string; href: string; isHere: boolean }[]
}

/** Views of one page, each with an address of its own. */
export function Tabs({ label, tabs }: Props) {
  return (
    <nav class="views tabs" aria-label={label}>
      {tabs.map(({ title, href, isHere }) => (
        <a key={href} href={href} aria-current={isHere ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
