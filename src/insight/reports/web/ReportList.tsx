import { Link } from '@tanstack/react-router'
import { Clock, Users } from 'lucide-react'
import { useSession } from '../../../ui/client/session.ts'
import { cn } from '../../../ui/cn.ts'
import type { ReportName } from '../name-rules.ts'
import { definitionOf } from '../report-rules.ts'
import { groupsFor } from './report-groups.ts'
import { type ReportsSearch, searchOf, switchedTo } from './reports-search.ts'
import type { Saved } from './saved-data.ts'

interface ReportListProps {
  /** The current selection. */
  search: ReportsSearch
  report: ReportName
  saved: readonly Saved[]
}

/** All reports, then saved ones. */
export function ReportList({ search, report, saved }: ReportListProps) {
  const current = search.saved
  const { user } = useSession()
  return (
    <nav aria-label="Reports" className="w-58 flex-none overflow-y-auto border-r border-line bg-subtle px-3 py-4">
      {groupsFor(user).map(({ title, reports }) => (
        <Group key={title} title={title}>
          {reports.map((name) => (
            <li key={name}>
              <Link
                to="/reports"
                search={switchedTo(name, search)}
                aria-current={name === report && current === undefined ? 'page' : undefined}
                className={entry(name === report && current === undefined)}
              >
                {definitionOf(name).title}
              </Link>
            </li>
          ))}
        </Group>
      ))}
      {saved.length > 0 && (
        <Group title="Saved">
          {saved.map(({ id, name, ask, isShared, ownerId, nextAt }) => (
            <li key={id}>
              <Link
                to="/reports"
                search={searchOf(ask, id)}
                aria-current={id === current ? 'page' : undefined}
                className={entry(id === current)}
              >
                <span className="min-w-0 flex-1 truncate">{name}</span>
                {nextAt && <Clock aria-label="Sent by email" className="size-3.5! flex-none text-fg-3" />}
                {isShared && ownerId !== user?.id && <Users aria-label="Shared with you" className="size-3.5! flex-none text-fg-3" />}
              </Link>
            </li>
          ))}
        </Group>
      )}
    </nav>
  )
}

const entry = (isCurrent: boolean) =>
  cn(
    'flex h-8 items-center gap-2 rounded-sm px-2 text-sm text-fg-2 hover:bg-hover hover:text-fg',
    isCurrent && 'bg-raised font-medium text-fg shadow-sm hover:bg-raised dark:bg-active',
  )

const Group = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section aria-label={title} className="pb-4">
    <h2 className="px-2 pb-1 text-xs text-fg-3">{title}</h2>
    <ul className="flex flex-col gap-0.5">{children}</ul>
  </section>
)
