import { Link } from '@tanstack/react-router'
import { type Clock, formatAgo, formatDateTime } from '../../../ui/format.ts'
import { fullName } from '../../../crm/contacts/web/embed/contact-data.ts'
import { TypeBadge } from '../../../crm/interactions/web/embed/TypeBadge.tsx'
import { inOneLine } from './activity-text.ts'
import type { StageFigures } from './funnel.ts'
import { Nothing, Panel } from './embed/Panel.tsx'
import type { DashboardData } from './useDashboard.ts'

interface RecentActivityProps {
  activity: DashboardData['activity']
  stages: readonly StageFigures[]
  clock: Clock
}

/** Spec 2, 9: recent activity: a badge in the type's colour, text, patient and time. */
export function RecentActivity({ activity, stages, clock }: RecentActivityProps) {
  return (
    <Panel title="Recent Activity">
      {activity.length === 0 ? (
        <Nothing>No activity yet</Nothing>
      ) : (
        <ul className="max-h-100 divide-y divide-line overflow-y-auto">
          {activity.map((entry) => (
            <li key={entry.id} className="flex items-center gap-3 py-2 first:pt-1 max-md:py-2.5">
              <span className="hidden w-28 flex-none @md:flex">
                <TypeBadge type={entry.type} />
              </span>
              <div className="min-w-0 flex-1">
                <p className="truncate text-sm text-fg">{inOneLine(entry, stages)}</p>
                <p className="flex items-center gap-2 text-xs @max-md:pt-1">
                  <span className="flex @md:hidden">
                    <TypeBadge type={entry.type} />
                  </span>
                  <Link
                    to="/contacts/$id"
                    params={{ id: entry.contact.id }}
                    className="relative truncate rounded-xs text-fg-3 touch-target hover:text-fg hover:underline"
                  >
                    {fullName(entry.contact)}
                  </Link>
                </p>
              </div>
              <time dateTime={entry.date} title={formatDateTime(entry.date, clock)} className="flex-none text-xs text-fg-3 tabular-nums">
                {formatAgo(entry.date, clock)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
