import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Block, GuidePage, Span, Text } from '../rules.ts'
import { plainText } from '../rules.ts'

/** A page of the guide, and the list of its sections where there is room. */
export function Article({ page }: { page: GuidePage }) {
  const hash = useRouterState({ select: (state) => state.location.hash })
  const article = useRef<HTMLElement>(null)
  // The page's code may load after the router has looked for the heading.
  useEffect(() => {
    const heading = hash ? article.current?.querySelector<HTMLElement>(`#${CSS.escape(hash)}`) : null
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }, [hash, page])
  const headings = page.blocks.filter((block) => block.kind === 'heading' && block.level === 2)

  return (
    <div className="relative flex min-h-0 flex-1 items-start gap-12 overflow-y-auto px-4 py-6 md:px-6">
      <article ref={article} className="max-w-(--measure) min-w-0 flex-1 pb-12">
        <Link to="/help" className="-mt-3 mb-3 -ml-1 inline-flex h-11 items-center gap-1 rounded-md pr-2 text-sm text-fg-2 md:hidden">
          <ChevronLeft aria-hidden="true" /> All help
        </Link>
        <h1 className="text-xl font-semibold text-fg">{page.title}</h1>
        <Blocks blocks={page.blocks} />
      </article>
      {headings.length > 1 && (
        <nav aria-labelledby="on-this-page" className="sticky top-0 w-56 flex-none max-lg:hidden">
          <p id="on-this-page" className="px-2 pb-1 text-xs font-medium text-fg-3">
            On this page
          </p>
          <ul>
            {headings.map(
              (heading) =>
                heading.kind === 'heading' && (
                  <li key={heading.id}>
                    <Link
                      to="/help/$page"
                      params={{ page: page.slug }}
                      hash={heading.id}
                      className="block rounded-md px-2 py-1.5 text-sm text-fg-2 hover:bg-hover hover:text-fg"
                    >
                      {plainText(heading.text)}
                    </Link>
                  </li>
                ),
            )}
          </ul>
        </nav>
      )}
    </div>
  )
}

// oxlint-disable no-array-index-key -- the guide does not change while it is shown
function Blocks({ blocks }: { blocks: readonly Block[] }): ReactNode {
  return blocks.map((block, index) => <BlockView key={index} block={block} />)
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = block.level === 2 ? 'h2' : 'h3'
      return (
        <Heading
          id={block.id}
          tabIndex={-1}
          className={block.level === 2 ? 'pt-8 text-lg font-semibold outline-none' : 'pt-6 text-md font-semibold outline-none'}
        >
          <Spans text={block.text} />
        </Heading>
      )
    }
    case 'paragraph':
      return (
        <p className="pt-3 text-md">
          <Spans text={block.text} />
        </p>
      )
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul'
      return (
        <List className={block.isOrdered ? 'list-decimal pt-1 pl-6 text-md' : 'list-disc pt-1 pl-6 text-md'}>
          {block.items.map((item, index) => (
            <li key={index} className="pt-2 pl-1 marker:text-fg-3 [&>p]:pt-0 [&>p+p]:pt-2">
              <Blocks blocks={item} />
            </li>
          ))}
        </List>
      )
    }
    case 'table':
      return (
        <div className="overflow-x-auto pt-4">
          <table className="w-full text-left text-sm">
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={index} className="border-b border-line py-2 pr-4 text-xs font-medium text-fg-3">
                    <Spans text={cell} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, column) => (
                    <td key={column} className="border-b border-line py-2 pr-4 align-top">
                      <Spans text={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    case 'picture':
      return (
        <img
          src={block.src}
          alt={block.alt}
          width={block.width}
          height={block.height}
          loading="lazy"
          className="mt-4 h-auto max-w-full rounded-md border border-line"
        />
      )
  }
}

const Spans = ({ text }: { text: Text }): ReactNode => text.map((span, index) => <SpanView key={index} span={span} />)

function SpanView({ span: { text, style, to } }: { span: Span }) {
  const styled =
    style === 'strong' ? (
      <strong className="font-semibold">{text}</strong>
    ) : style === 'em' ? (
      <em className="font-medium not-italic">{text}</em>
    ) : style === 'code' ? (
      <code className="rounded-xs border border-line bg-subtle px-1 text-sm">{text}</code>
    ) : (
      text
    )
  return to ? <PathLink to={to}>{styled}</PathLink> : styled
}

/** A link whose path is text in the guide, with its search and hash. */
function PathLink({ to, children }: { to: string; children: ReactNode }) {
  const { history } = useRouter()
  const isPath = to.startsWith('/')
  return (
    <a
      href={to}
      className="rounded-xs font-medium text-accent-fg underline underline-offset-2 hover:text-accent-hover"
      onClick={(event) => {
        if (!isPath || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        history.push(to)
      }}
    >
      {children}
    </a>
  )
}
