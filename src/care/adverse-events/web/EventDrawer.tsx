import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { CircleSlash, Ellipsis, FileText, Pencil, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { toLocal } from '../../../shared/zoned-time.ts'
import { PatientIdentity } from '../../../crm/contacts/web/embed/PatientIdentity.tsx'
import { type Names, providerName, useNames } from '../../calendar/web/embed/names.ts'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Asked } from '../../../ui/display/Section.tsx'
import { Fact, Facts } from '../../../ui/display/Facts.tsx'
import { None } from '../../../ui/display/Table.tsx'
import { formatDateTime, formatDay, today } from '../../../ui/format.ts'
import { DropdownMenu, MenuItem } from '../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { eventKinds, formatSeverity, reportState, reportWithin } from '../rules.ts'
import { type EventData, formatReport } from './event-data.ts'
import { useLiveEvents } from './useAdverseEvents.ts'

const EventDialog = lazyDialog(
  () => import('./EventDialog.tsx'),
  ({ onClose }) => onClose(),
)
const FileDialog = lazyDialog(
  () => import('./FileDialog.tsx'),
  ({ onClose }) => onClose(),
)
const VoidDialog = lazyDialog(
  () => import('./VoidDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The drawer of an adverse event: its facts, its narrative and its report. */
export default function EventDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const clock = useClock()
  const names = useNames()
  const may = usePermission()
  const refresh = useLiveEvents()
  const found = useQuery(orpc.adverseEvents.get.queryOptions({ input: { id }, staleTime: 0 }))
  const event = found.data
  const [opened, setOpened] = useState<'edit' | 'file' | 'void' | null>(null)
  const state = event && reportState(event, today(clock))
  const isOpen = state === 'due' || state === 'near' || state === 'overdue'
  const report = event && formatReport(event, clock)
  const done = () => {
    setOpened(null)
    refresh()
  }

  async function undoFiling(filed: EventData) {
    try {
      await client.adverseEvents.undoFiling({ id, version: filed.version })
      toast.success('Report marked as not filed')
    } catch (error) {
      toast.error('The report is still marked as filed', messageOf(error))
    }
    refresh()
  }

  const isChangeable = event && may('adverseEvents.change') && event.voidedAt === null
  return (
    <SideDrawer
      title={event ? eventKinds[event.kind].label : 'Adverse event'}
      description={event && <PatientIdentity patient={event.contact} />}
      onClose={onClose}
      footer={
        isChangeable && (
          <>
            {isOpen && (
              <Button variant="filled" onClick={() => setOpened('file')}>
                Mark as filed
              </Button>
            )}
            {state !== 'filed' && (
              <Button icon={<Pencil />} onClick={() => setOpened('edit')}>
                Edit
              </Button>
            )}
            <DropdownMenu trigger={<IconButton label="More actions" variant="outlined" size="lg" icon={<Ellipsis />} />}>
              {state === 'filed' && (
                <MenuItem icon={<Undo2 />} onSelect={() => void undoFiling(event)}>
                  Mark as not filed
                </MenuItem>
              )}
              {state !== 'filed' && (
                <MenuItem icon={<CircleSlash />} danger onSelect={() => setOpened('void')}>
                  Recorded in error
                </MenuItem>
              )}
            </DropdownMenu>
          </>
        )
      }
    >
      <Asked query={found} failed="Couldn’t load the adverse event">
        {(data) => (
          <div className="flex flex-col gap-6">
            {data.voidedAt !== null && (
              <Alert tone="info" title={`Recorded in error, marked by ${providerName(data.voidedBy, names)}.`}>
                {data.voidReason}
              </Alert>
            )}
            {report && isOpen && (
              <Alert tone={report.tone === 'danger' ? 'danger' : 'warning'} title={`${report.label}.`}>
                The College of Physicians and Surgeons of Ontario expects it within {reportWithin} business days. File it in its members’
                portal, then mark it as filed here.
              </Alert>
            )}
            <EventFacts event={data} names={names} />
            <Narrative event={data} onStarted={refresh} />
            {data.voidedAt === null && (
              <div role="group" aria-label="Report">
                <h3 className="border-b border-line pb-1.5 text-sm font-semibold text-fg">Report</h3>
                <div className="flex min-h-11 items-center gap-3 pt-2 text-sm">
                  <span className="min-w-0 flex-1 text-fg-2">
                    {data.filedOn !== null
                      ? [
                          `Filed ${formatDay(data.filedOn)} by ${providerName(data.filedBy, names)}`,
                          data.reference && `confirmation ${data.reference}`,
                        ]
                          .filter(Boolean)
                          .join(', ')
                      : data.dueOn === null
                        ? 'Need not be reported within days. It counts in the yearly summary.'
                        : 'Not filed yet'}
                  </span>
                  <Button size="sm" icon={<FileText />} asChild>
                    <a href={`/api/adverse-events/${data.id}.pdf`} target="_blank" rel="noreferrer">
                      Open report
                    </a>
                  </Button>
                </div>
              </div>
            )}
          </div>
        )}
      </Asked>
      {opened === 'edit' && event && (
        <EventDialog event={event} subject={{ contact: event.contact, surgeryId: null }} onSaved={done} onClose={() => setOpened(null)} />
      )}
      {opened === 'file' && event && <FileDialog event={event} onDone={done} onClose={() => setOpened(null)} />}
      {opened === 'void' && event && <VoidDialog event={event} onDone={done} onClose={() => setOpened(null)} />}
    </SideDrawer>
  )
}

function EventFacts({ event, names }: { event: EventData; names: Names }) {
  const clock = useClock()
  const { severity, occurredAt, learnedAt, surgery, peopleIds, others } = event
  return (
    <Facts>
      <Fact label="Severity">{formatSeverity(severity)}</Fact>
      <Fact label="Happened">
        <span className="tabular-nums">{formatDateTime(occurredAt, clock)}</span>
      </Fact>
      <Fact label="Learned of it">
        <span className="tabular-nums">{formatDateTime(learnedAt, clock)}</span>
      </Fact>
      <Fact label="Surgery">
        {surgery ? (
          <Link to="/surgeries" search={{ surgery: surgery.id }} className="text-accent-fg underline-offset-2 hover:underline">
            {surgery.procedures.map(({ name }) => name).join(', ')}, {formatDay(toLocal(surgery.startsAt, clock.timeZone).day)}
          </Link>
        ) : (
          <None />
        )}
      </Fact>
      {surgery && <Fact label="Surgeon">{providerName(surgery.surgeonId, names) ?? <None />}</Fact>}
      <Fact label="Staff involved">{peopleIds.map((person) => providerName(person, names)).join(', ') || <None />}</Fact>
      {others !== null && <Fact label="Others">{others}</Fact>}
      <Fact label="Recorded by">{providerName(event.createdBy, names)}</Fact>
    </Facts>
  )
}

/** The narrative is a clinical note: written, signed and added to on its own page. */
function Narrative({ event, onStarted }: { event: EventData; onStarted: () => void }) {
  const navigate = useNavigate()
  const may = usePermission()
  const [isBusy, setBusy] = useState(false)
  const { narrative, contact } = event
  const open = (noteId: string) => void navigate({ to: '/contacts/$id/notes/$noteId', params: { id: contact.id, noteId } })

  async function start() {
    setBusy(true)
    try {
      const after = await client.adverseEvents.startNarrative({ id: event.id })
      onStarted()
      if (after.narrative) open(after.narrative.id)
    } catch (error) {
      toast.error('The narrative was not started', messageOf(error))
      setBusy(false)
    }
  }

  return (
    <div role="group" aria-label="Narrative">
      <h3 className="border-b border-line pb-1.5 text-sm font-semibold text-fg">Narrative</h3>
      <div className="flex min-h-11 items-center gap-3 pt-2 text-sm">
        {narrative ? (
          <>
            <span className="min-w-0 flex-1 text-fg-2">
              {narrative.status === 'signed' ? 'Signed and sealed. Additions are addenda.' : 'Draft, not signed yet'}
            </span>
            <Button size="sm" onClick={() => open(narrative.id)}>
              Open narrative
            </Button>
          </>
        ) : (
          <>
            <span className="min-w-0 flex-1 text-fg-2">Not written yet</span>
            {may('adverseEvents.startNarrative') && event.voidedAt === null && (
              <Button size="sm" busy={isBusy} busyLabel="Starting…" onClick={() => void start()}>
                Write narrative
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  )
}
