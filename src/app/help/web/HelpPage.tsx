import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { FileQuestionMark, Search } from 'lucide-react'
import { type ReactNode, useMemo, useRef } from 'react'
import { pages } from 'virtual:guide'
import { useSession } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { SearchInput } from '../../../ui/controls/SearchInput.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { Toolbar } from '../../../ui/display/Toolbar.tsx'
import { useHotkeys } from '../../../ui/hooks/hotkeys.ts'
import { useSearchTerm } from '../../../ui/hooks/useSearchTerm.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { excerptOf, type GuidePage, groupPages, searchGuide, type Section, sectionsOf } from '../rules.ts'
import { Article } from './Article.tsx'

const sections = sectionsOf(pages)
const row = '-mx-2 block rounded-md px-2 py-2.5 outline-offset-[-2px] hover:bg-hover md:-mx-3 md:px-3'

/** /help: the guide by role and job; /help/PAGE: one page. The search needs no server. */
export default function HelpPage(): ReactNode {
  const navigate = useNavigate()
  const { page: slug } = useParams({ strict: false })
  const { q = '' } = useSearch({ strict: false })
  const [query, setQuery] = useSearchTerm(
    q,
    (words) => void navigate({ to: '.', search: words ? { q: words } : {}, replace: true, resetScroll: false }),
  )
  const found = useMemo(() => searchGuide(sections, query), [query])
  const input = useRef<HTMLInputElement>(null)
  useHotkeys(useMemo(() => [{ keys: '/', label: 'Search help', group: 'Help', run: () => input.current?.focus() }], []))

  const page = pages.find((one) => one.slug === slug)
  const [best] = found
  return (
    <>
      {slug === undefined ? (
        <TopbarTitle title="Help" />
      ) : (
        <TopbarTitle
          title={page?.title ?? 'Help'}
          section="Help"
          crumbs={[{ label: 'Help', link: { to: '/help' } }, { label: page?.title ?? 'Not found' }]}
        />
      )}
      <Toolbar label="Help">
        <form
          className="w-full max-w-(--measure)"
          onSubmit={(event) => {
            event.preventDefault()
            if (best) void navigate({ to: '/help/$page', params: { page: best.page.slug }, hash: best.id })
          }}
        >
          <SearchInput
            ref={input}
            value={query}
            onValueChange={setQuery}
            label="Search help"
            placeholder="Search help"
            keyHint="/"
            maxLength={100}
          />
        </form>
      </Toolbar>
      {query.trim() ? (
        <Results query={query} found={found} onClear={() => setQuery('')} />
      ) : slug === undefined ? (
        <Contents />
      ) : page ? (
        <Article key={page.slug} page={page} />
      ) : (
        <EmptyState
          icon={<FileQuestionMark />}
          title="Help page not found"
          actions={<Button onClick={() => void navigate({ to: '/help' })}>Show all help pages</Button>}
        >
          It may have been renamed. Search for it above.
        </EmptyState>
      )}
    </>
  )
}

function Contents() {
  const { user } = useSession()
  const { own, roles, jobs } = groupPages(pages, user?.role)
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto px-4 py-6 md:px-6">
      <div className="flex max-w-(--measure) flex-col gap-8">
        {[
          { title: 'For your role', pages: own },
          { title: 'Job by job', pages: jobs },
          { title: own.length > 0 ? 'For other roles' : 'By role', pages: roles },
        ].map(({ title, pages }) => pages.length > 0 && <PageList key={title} title={title} pages={pages} />)}
      </div>
    </div>
  )
}

function PageList({ title, pages }: { title: string; pages: readonly GuidePage[] }) {
  return (
    <section aria-label={title}>
      <h2 className="border-b border-line pb-2 text-md font-semibold text-fg">{title}</h2>
      <ul>
        {pages.map(({ slug, title, summary }) => (
          <li key={slug} className="border-b border-line">
            <Link to="/help/$page" params={{ page: slug }} className={row}>
              <span className="block text-sm font-medium text-fg">{title}</span>
              <span className="block text-sm text-fg-2">{summary}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface ResultsProps {
  query: string
  found: readonly Section[]
  onClear: () => void
}

function Results({ query, found, onClear }: ResultsProps) {
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto px-4 py-4 md:px-6">
      <p role="status" className={found.length > 0 ? 'pb-2 text-sm text-fg-3' : 'sr-only'}>
        {found.length === 0 ? 'No results' : found.length === 1 ? '1 result' : `${found.length} results`}
      </p>
      {found.length === 0 ? (
        <EmptyState
          icon={<Search />}
          title={`Nothing in help matches “${query.trim()}”`}
          actions={<Button onClick={onClear}>Clear search</Button>}
        >
          Try one word, such as “refund” or “password”.
        </EmptyState>
      ) : (
        <ul aria-label="Results" className="max-w-(--measure)">
          {found.map(({ page, id, heading, text }) => (
            <li key={`${page.slug}#${id}`} className="border-b border-line">
              <Link to="/help/$page" params={{ page: page.slug }} hash={id} className={row}>
                <span className="block text-sm font-medium text-fg">
                  {heading}
                  {id && <span className="font-normal text-fg-3"> · {page.title}</span>}
                </span>
                <span className="line-clamp-2 text-sm text-fg-2">
                  {excerptOf(text || page.summary, query).map((part, index) =>
                    part.isHit ? (
                      // oxlint-disable-next-line no-array-index-key -- the parts of a text have no other name
                      <mark key={index} className="bg-transparent font-medium text-fg">
                        {part.text}
                      </mark>
                    ) : (
                      part.text
                    ),
                  )}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
