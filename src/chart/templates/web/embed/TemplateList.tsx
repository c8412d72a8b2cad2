import { useNavigate } from '@tanstack/react-router'
import { Copy, Plus } from 'lucide-react'
import { type ReactElement, type ReactNode, useState } from 'react'
import { messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { formatDate } from '../../../../ui/format.ts'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '../../../../ui/overlays/DropdownMenu.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'

interface Line {
  id: string
  isActive: boolean
  title: { en: string }
  hasDraft: boolean
  publishedNumber: number | null
  publishedAt: string | Date | null
}

interface TemplateListProps<Starter extends string, L extends Line> {
  /** The section of the settings, which is part of each template's address. */
  section: string
  title: string
  /** 'form' */
  noun: 'form' | 'consent form'
  icon: ReactElement
  query: { data: L[] | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }
  starters: Record<Starter, string>
  create: (starter: Starter | null) => Promise<{ id: string }>
  /** Not given if a template cannot be copied. */
  duplicate?: (id: string) => Promise<{ id: string }>
  /** What they are for, above the list; and what to do while there is none. */
  hint: string
  /** The section of the guide about it. */
  help?: ReactNode
  emptyHint: string
  /** '3 questions', 'every surgery' */
  describe: (line: L) => string
}

/** The templates of the practice in the settings; each opens in its editor. */
export function TemplateList<Starter extends string, L extends Line>(props: TemplateListProps<Starter, L>) {
  const { section, title, noun, query, starters, duplicate, describe } = props
  const navigate = useNavigate()
  const { timeZone } = useClock()
  const [isBusy, setBusy] = useState(false)
  const open = (id: string) => void navigate({ to: '/settings/$section/$item', params: { section, item: id } })
  async function create(work: () => Promise<{ id: string }>) {
    setBusy(true)
    try {
      open((await work()).id)
    } catch (error) {
      toast.error(`The ${noun} was not added`, messageOf(error))
      setBusy(false)
    }
  }
  const add = (
    <DropdownMenu
      trigger={
        <Button icon={<Plus />} busy={isBusy}>
          New {noun}
        </Button>
      }
    >
      <MenuLabel>Start from</MenuLabel>
      {Object.entries<string>(starters).map(([key, name]) => (
        <MenuItem key={key} onSelect={() => void create(() => props.create(key as Starter))}>
          {name}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => void create(() => props.create(null))}>{noun === 'form' ? 'Empty form' : 'Empty consent form'}</MenuItem>
    </DropdownMenu>
  )
  return (
    <Section id={section} title={title} actions={query.data && query.data.length > 0 && add}>
      <Asked query={query} failed={`Couldn’t load the ${title.toLowerCase()}`}>
        {(list) =>
          list.length > 0 ? (
            <>
              <div className="max-w-[60ch] pt-3 pb-2 text-sm text-fg-2">
                <p>{props.hint}</p>
                {props.help}
              </div>
              <ul className="-mx-2">
                {list.map((line) => (
                  <li key={line.id} className="flex items-center gap-1">
                    <OpenRow hasChevron={!duplicate} onClick={() => open(line.id)}>
                      <span className="flex min-w-0 flex-1 flex-col">
                        <span className="max-w-full truncate text-md font-medium text-fg">{line.title.en || `Untitled ${noun}`}</span>
                        <span className="max-w-full text-sm text-fg-3 md:truncate">
                          {describe(line)}
                          <span className="max-md:hidden"> · </span>
                          <span className="whitespace-nowrap max-md:block max-md:first-letter:uppercase">
                            {line.publishedNumber === null || line.publishedAt === null
                              ? 'not published yet'
                              : `version ${line.publishedNumber} of ${formatDate(line.publishedAt, timeZone)}`}
                          </span>
                        </span>
                      </span>
                      <StateBadge line={line} />
                    </OpenRow>
                    {duplicate && (
                      <IconButton
                        label={`Duplicate ${line.title.en || noun}`}
                        icon={<Copy />}
                        disabled={isBusy}
                        onClick={() => void create(() => duplicate(line.id))}
                      />
                    )}
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <EmptyState icon={props.icon} title={`No ${title.toLowerCase()} yet`} actions={add}>
              {props.emptyHint}
            </EmptyState>
          )
        }
      </Asked>
    </Section>
  )
}

function StateBadge({ line }: { line: Line }) {
  if (!line.isActive) return <Badge>Inactive</Badge>
  if (line.hasDraft) return <Badge tone="warning">{line.publishedNumber === null ? 'Draft' : 'Unpublished changes'}</Badge>
  return <Badge tone="success">Published</Badge>
}
