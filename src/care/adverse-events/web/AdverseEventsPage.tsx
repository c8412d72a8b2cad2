import { useNavigate, useSearch } from '@tanstack/react-router'
import { Lock, Plus, ShieldAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type KnownNames, providerName, useNames } from '../../calendar/web/embed/names.ts'
import { orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { usePages, rowsOf } from '../../../ui/client/usePages.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { Asked } from '../../../ui/display/Section.tsx'
import { Tabs } from '../../../ui/display/Tabs.tsx'
import { Toolbar, ToolbarSelect } from '../../../ui/display/Toolbar.tsx'
import { formatShortDate } from '../../../ui/format.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { eventKind, eventKindNames } from '../rules.ts'
import type { AdverseEventsSearch } from './adverse-events-search.ts'
import { EventDialog, EventDrawer } from './embed/AdverseEvents.tsx'
import { type EventData, formatReport } from './event-data.ts'
import { useLiveEvents } from './useAdverseEvents.ts'

/** The page /adverse-events: the register of the practice. */
export default function AdverseEventsPage(): ReactNode {
  const isAllowed = usePermission()('adverseEvents.list')
  return (
    <>
      <TopbarTitle title="Adverse events" />
      {isAllowed ? (
        <Register />
      ) : (
        <EmptyState icon={<Lock />} title="Providers and administrators see adverse events" className="my-auto pb-24">
          Ask an administrator if you need the register.
        </EmptyState>
      )}
    </>
  )
}

function Register() {
  const search = useSearch({ from: '/staff/adverse-events' })
  const navigate = useNavigate({ from: '/adverse-events' })
  const names = useNames()
  const may = usePermission()
  const refresh = useLiveEvents()
  const [isRecording, setRecording] = useState(false)
  const { report, surgeon, event } = search
  const kind = eventKindNames.find((name) => name === search.kind)
  const { list, older } = usePages(orpc.adverseEvents.list, { report, kind, surgeonId: surgeon, limit: 50 }, { keepsPrevious: true })
  const set = (part: Partial<AdverseEventsSearch>) => void navigate({ search: (before) => ({ ...before, ...part }) })
  const openCount = list.data?.pages[0]?.openCount
  const isFiltered = report !== undefined || kind !== undefined || surgeon !== undefined
  const record = may('adverseEvents.create') && (
    <Button variant="filled" icon={<Plus />} onClick={() => setRecording(true)}>
      Record event
    </Button>
  )
  return (
    <Tabs
      aria-label="Adverse events"
      className="flex-1"
      value={report ?? 'all'}
      onValueChange={(value) => set({ report: value === 'all' ? undefined : value })}
      items={[
        { value: 'all', label: 'All' },
        { value: 'open', label: 'Report due', count: openCount === 0 ? undefined : openCount },
        { value: 'filed', label: 'Filed' },
      ]}
      actions={record}
    >
      <Toolbar label="Adverse events">
        <ToolbarSelect
          label="Kind"
          any="All kinds"
          value={kind}
          onChange={(value) => set({ kind: value })}
          options={eventKindNames.map((value) => ({ value, label: eventKind(value).label }))}
          className="w-64 max-md:w-full"
        />
        <ToolbarSelect
          label="Surgeon"
          any="All surgeons"
          value={surgeon}
          onChange={(value) => set({ surgeon: value })}
          options={names.providers.map(({ id, fullName }) => ({ value: id, label: fullName }))}
          className="w-48 max-md:w-full"
        />
      </Toolbar>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 md:px-6">
        <Asked query={list} failed="Couldn’t load the adverse events">
          {(data) =>
            rowsOf(data).length > 0 ? (
              <ul aria-label="Adverse events">
                {rowsOf(data).map((one) => (
                  <Row key={one.id} event={one} names={names} onOpen={() => set({ event: one.id })} />
                ))}
              </ul>
            ) : isFiltered ? (
              <EmptyState
                icon={<ShieldAlert />}
                title={report === 'open' ? 'No report is due' : 'No matching events'}
                actions={<Button onClick={() => set({ report: undefined, kind: undefined, surgeon: undefined })}>Clear filters</Button>}
              />
            ) : (
              <EmptyState icon={<ShieldAlert />} title="No adverse events yet">
                Record what went wrong. Refyne says whether it has to be reported, and by when.
              </EmptyState>
            )
          }
        </Asked>
        {list.hasNextPage && (
          <div className="py-4">
            <Button busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
              Show older
            </Button>
          </div>
        )}
      </div>
      {isRecording && (
        <EventDialog
          event={null}
          subject={{ contact: null, surgeryId: null }}
          onSaved={(saved) => {
            setRecording(false)
            refresh()
            set({ event: saved.id })
          }}
          onClose={() => setRecording(false)}
        />
      )}
      {event !== undefined && <EventDrawer id={event} onClose={() => set({ event: undefined })} />}
    </Tabs>
  )
}

function Row({ event, names, onOpen }: { event: EventData; names: KnownNames; onOpen: () => void }) {
  const clock = useClock()
  const { kind, severity, contact, surgery, occurredAt, voidedAt, narrative } = event
  const report = formatReport(event, clock)
  const about = [surgery?.procedures.map(({ name }) => name).join(', '), providerName(surgery?.surgeonId ?? null, names)]
    .filter(Boolean)
    .join(' · ')
  return (
    <li className="border-b border-line">
      <button
        type="button"
        onClick={onOpen}
        className="-mx-2 grid min-h-14 w-[calc(100%+1rem)] grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 rounded-sm px-2 py-2 text-left text-sm outline-offset-[-2px] hover:bg-hover md:grid-cols-[7rem_minmax(0,1.4fr)_minmax(0,1fr)_7rem_13rem]"
      >
        <span className="text-fg-2 tabular-nums max-md:order-2 max-md:text-right">{formatShortDate(occurredAt, clock)}</span>
        <span className="min-w-0 max-md:order-1">
          <span className={`block truncate font-medium ${voidedAt ? 'text-fg-3 line-through' : 'text-fg'}`}>{eventKind(kind).label}</span>
          <span className="block truncate text-xs text-fg-3">
            Grade {severity}
            {about && ` · ${about}`}
          </span>
        </span>
        <span className="truncate text-fg max-md:order-3 max-md:col-span-2">{`${contact.firstName} ${contact.lastName}`}</span>
        <span className="text-xs text-fg-3 max-md:hidden">
          {narrative === null ? 'No narrative' : narrative.status === 'signed' ? 'Signed' : 'Draft narrative'}
        </span>
        <span className="flex max-md:order-4 max-md:col-span-2 max-md:empty:hidden md:justify-end">
          {report && <Badge tone={report.tone}>{report.label}</Badge>}
        </span>
      </button>
    </li>
  )
}
