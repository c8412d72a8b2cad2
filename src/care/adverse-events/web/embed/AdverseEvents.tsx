import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { formatShortDate } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { eventKinds } from '../../rules.ts'
import { type EventSubject, formatReport } from '../event-data.ts'
import { useLiveEvents } from '../useAdverseEvents.ts'

export const EventDrawer = lazyDialog(
  () => import('../EventDrawer.tsx'),
  ({ onClose }) => onClose(),
)
export const EventDialog = lazyDialog(
  () => import('../EventDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface AdverseEventsProps {
  contact: NonNullable<EventSubject['contact']>
  /** Only those of this surgery; of all, if undefined. */
  surgeryId?: string
}

/** The adverse events of a patient or of one surgery, for those who may see them. */
export function AdverseEvents(props: AdverseEventsProps) {
  return usePermission()('adverseEvents.ofContact') ? <List {...props} /> : null
}

function List({ contact, surgeryId }: AdverseEventsProps) {
  const clock = useClock()
  const may = usePermission()
  const refresh = useLiveEvents()
  const [opened, setOpened] = useState<string | null>(null)
  const [isRecording, setRecording] = useState(false)
  const list = useQuery(orpc.adverseEvents.ofContact.queryOptions({ input: { contactId: contact.id } }))
  const events = list.data?.filter(({ surgery }) => surgeryId === undefined || surgery?.id === surgeryId) ?? []
  return (
    <div role="group" aria-label="Adverse events">
      <div className="flex min-h-8 items-center gap-2 border-b border-line pb-1.5">
        <h3 className="text-sm font-semibold text-fg">Adverse events</h3>
        {events.length > 0 && <span className="text-sm text-fg-3 tabular-nums">{events.length}</span>}
        {may('adverseEvents.create') && (
          <Button size="sm" variant="quiet" icon={<Plus />} className="ml-auto" onClick={() => setRecording(true)}>
            Record event
          </Button>
        )}
      </div>
      {list.error && !list.data ? (
        <p role="alert" className="pt-2 text-sm text-danger-fg">
          Couldn’t load the adverse events.{' '}
          <Button size="sm" variant="quiet" onClick={() => void list.refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        <ul>
          {events.map((event) => {
            const report = formatReport(event, clock)
            return (
              <li key={event.id}>
                <button
                  type="button"
                  onClick={() => setOpened(event.id)}
                  className="-mx-2 flex min-h-11 w-[calc(100%+1rem)] flex-wrap items-center gap-x-3 gap-y-1 rounded-sm px-2 py-1.5 text-left text-sm outline-offset-[-2px] hover:bg-hover"
                >
                  <span className="min-w-0 flex-1">
                    <span className={`block font-medium ${event.voidedAt ? 'text-fg-3 line-through' : 'text-fg'}`}>
                      {eventKinds[event.kind].label}
                    </span>
                    <span className="block text-xs text-fg-3 tabular-nums">
                      {formatShortDate(event.occurredAt, clock)} · Grade {event.severity}
                    </span>
                  </span>
                  {report && <Badge tone={report.tone}>{report.label}</Badge>}
                </button>
              </li>
            )
          })}
          {list.data && events.length === 0 && <li className="pt-2 text-sm text-fg-3">None recorded</li>}
        </ul>
      )}
      {isRecording && (
        <EventDialog
          event={null}
          subject={{ contact, surgeryId: surgeryId ?? null }}
          onSaved={(event) => {
            setRecording(false)
            refresh()
            setOpened(event.id)
          }}
          onClose={() => setRecording(false)}
        />
      )}
      {opened !== null && <EventDrawer id={opened} onClose={() => setOpened(null)} />}
    </div>
  )
}
