import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarSync, Plus, RefreshCw, X } from 'lucide-react'
import { useState } from 'react'
import { useLivePractice } from '../../../../platform/practice/web/embed/usePractice.ts'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { formatAgoInSentence } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { type Names, providerName, roomName, useNames } from '../../../calendar/web/embed/names.ts'
import type { CalendarProblem } from '../../rules.ts'
import type { CalendarData } from '../calendar-data.ts'
import { OwnCalendar } from '../OwnCalendar.tsx'

const CalendarDialog = lazyDialog(
  () => import('../CalendarDialog.tsx'),
  ({ onClose }) => onClose(),
)

const problems: Record<CalendarProblem, string> = {
  address: 'Its address cannot be called any more. Remove it and add it again.',
  unreachable: 'Its server does not answer.',
  refused: 'Its server refuses the address. It may have been replaced: copy it again from the calendar program.',
  'too-large': 'It is larger than 5 MB.',
  'not-a-calendar': 'The address does not lead to a calendar file (ICS).',
  'too-complex': 'It has too many events or repetitions.',
  reconnect: 'The mailbox must be reconnected under Email.',
  'no-access': 'The mailbox is connected without its calendar. Connect it again under Email, and allow access to the calendar.',
}

/** Settings, Subscribed calendars: calendars elsewhere whose events block openings. */
export function SubscribedCalendarsCard() {
  const cache = useQueryClient()
  const list = useQuery(orpc.subscribedCalendars.list.queryOptions())
  const names = useNames()
  useLivePractice()
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.subscribedCalendars.key() })
  useLive(['practice'], refresh, { debounceMs: 300 })
  const mayChange = usePermission()('subscribedCalendars.add')
  const [isAdding, setAdding] = useState(false)
  const add = mayChange && (
    <Button icon={<Plus />} onPointerEnter={CalendarDialog.prepare} onClick={() => setAdding(true)}>
      Add calendar
    </Button>
  )
  return (
    <Section id="subscribed-calendars" title="Subscribed calendars" actions={list.data && list.data.length > 0 && add}>
      <Asked query={list} failed="Couldn’t load the subscribed calendars">
        {(calendars) =>
          calendars.length > 0 ? (
            <>
              <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
                Nothing is offered while a person or a room is busy there. They are read every 15 minutes, and only the times are kept.
              </p>
              <ul aria-label="Subscribed calendars" className="pt-2">
                {calendars.map((one) => (
                  <Line key={one.id} calendar={one} names={names} mayChange={mayChange} onChanged={refresh} />
                ))}
              </ul>
            </>
          ) : (
            <EmptyState icon={<CalendarSync />} title="No subscribed calendars yet" actions={add || undefined}>
              Add the calendar of a hospital or of a provider by its address. Its events then block openings here.
              {!mayChange && ' Administrators can add them.'}
            </EmptyState>
          )
        }
      </Asked>
      <OwnCalendar />
      {isAdding && <CalendarDialog onClose={() => setAdding(false)} />}
    </Section>
  )
}

interface LineProps {
  calendar: CalendarData
  names: Names
  mayChange: boolean
  onChanged: () => void
}

function Line({ calendar, names, mayChange, onChanged }: LineProps) {
  const clock = useClock()
  const [isReading, setReading] = useState(false)
  const { id, name, host, profileId, roomId, readAt, problem, busyTimes } = calendar
  const owner = providerName(profileId, names) ?? roomName(roomId, names)
  async function run(action: () => Promise<unknown>) {
    try {
      await action()
    } catch (error) {
      toast.error(messageOf(error))
    }
    onChanged()
  }
  return (
    <li className="flex items-start gap-3 border-b border-line py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium text-fg">
          <span className="wrap-anywhere">{name}</span>
          {problem ? <Badge tone="warning">Not read</Badge> : readAt === null ? <Badge>Waiting</Badge> : <Badge tone="success">Read</Badge>}
        </p>
        <p className="text-xs text-fg-3 wrap-anywhere">
          {[owner, host, busyTimes === 1 ? '1 busy time' : `${busyTimes} busy times`].filter(Boolean).join(' · ')}
          {readAt !== null && ` · read ${formatAgoInSentence(readAt, clock)}`}
        </p>
        {problem && (
          <p className="pt-1 text-sm text-warning-fg">
            {problems[problem]} {readAt !== null && 'What was read before still blocks openings.'}
          </p>
        )}
      </div>
      {mayChange && (
        <span className="flex flex-none gap-1">
          <IconButton
            label={`Read ${name} now`}
            size="sm"
            icon={<RefreshCw />}
            disabled={isReading}
            onClick={() => {
              setReading(true)
              void run(() => client.subscribedCalendars.read({ id })).then(() => setReading(false))
            }}
          />
          <IconButton
            label={`Remove ${name}`}
            size="sm"
            icon={<X />}
            onClick={() => void run(() => client.subscribedCalendars.remove({ id }))}
          />
        </span>
      )}
    </li>
  )
}
