import { ArrowRight, GitMerge, History, Pencil, Undo2, UserPlus } from 'lucide-react'
import { type Client, messageOf, orpc } from '../../ui/client/api.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../ui/display/EmptyState.tsx'
import { type Clock, formatDateTime } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/display/Skeleton.tsx'
import { TimelineItem } from '../../ui/display/Timeline.tsx'
import { rowsOf, usePages } from '../../ui/client/usePages.ts'
import { fieldLabels } from '../../crm/contacts/derived-fields.ts'
import { formerStaff } from '../../crm/contacts/web/embed/contact-text.ts'
import { byId, type Directory } from '../../crm/contacts/web/embed/directory.ts'
import { formatFieldValue, nothing } from '../../crm/contacts/web/embed/field-labels.ts'

type Entry = Awaited<ReturnType<Client['contacts']['history']>>['data'][number]

const actions: Record<Entry['action'], { text: string; icon: typeof Pencil }> = {
  created: { text: 'added the patient', icon: UserPlus },
  changed: { text: 'changed', icon: Pencil },
  restored: { text: 'restored the patient', icon: Undo2 },
  merged: { text: 'merged another patient into this one', icon: GitMerge },
  unmerged: { text: 'undid a merge', icon: GitMerge },
}

interface PatientHistoryProps {
  contactId: string
  directory: Directory
  clock: Clock
}

/** Who changed which fields of the record, newest first. */
export function PatientHistory({ contactId, directory, clock }: PatientHistoryProps) {
  const { list: history, older } = usePages(orpc.contacts.history, { id: contactId }, { staleTime: 0 })
  const entries = rowsOf(history.data)
  if (!history.data) {
    return history.error ? (
      <ErrorState title="Couldn’t load the history" onRetry={() => void history.refetch()} retrying={history.isFetching}>
        {messageOf(history.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={4} rowClassName="border-b-0 px-0 md:px-0" />
    )
  }
  return (
    <>
      <h2 className="sr-only">History</h2>
      {entries.length === 0 && !history.hasNextPage ? (
        <EmptyState icon={<History />} title="No changes yet">
          Changes to the record appear here with the previous values.
        </EmptyState>
      ) : (
        <ol aria-label="Changes">
          {entries.map((entry) => (
            <HistoryLine key={entry.id} entry={entry} directory={directory} clock={clock} />
          ))}
        </ol>
      )}
      {history.hasNextPage && (
        <div className="flex flex-wrap items-center gap-3 pb-4 pl-10">
          {history.isFetchNextPageError && <p className="text-sm text-danger-fg">Couldn’t load older changes.</p>}
          <Button busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
            Show older
          </Button>
        </div>
      )}
    </>
  )
}

function HistoryLine({ entry, directory, clock }: { entry: Entry } & Pick<PatientHistoryProps, 'directory' | 'clock'>) {
  const { text, icon: Icon } = actions[entry.action]
  return (
    <TimelineItem
      icon={<Icon />}
      summary={
        <>
          <strong>{formatActor(entry, directory)}</strong> {text}
        </>
      }
      time={formatDateTime(entry.at, clock)}
    >
      {entry.changes.length > 0 && (
        <dl className="flex flex-col gap-1.5 text-sm">
          {entry.changes.map(({ field, before, after }) => {
            const [was, is] = [before, after].map((value) => formatFieldValue(field, value, directory, clock))
            return (
              <div key={field} className="flex flex-col gap-x-3 sm:flex-row">
                <dt className="w-40 flex-none text-fg-3">{fieldLabels[field] ?? field}</dt>
                <dd className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap text-fg">
                  <del className={was === nothing ? 'text-fg-3 no-underline' : 'text-fg-3'}>{was}</del>
                  <ArrowRight aria-label="changed to" className="mx-1.5 inline size-3.5! align-[-2px] text-fg-3" />
                  <ins className="no-underline">{is}</ins>
                </dd>
              </div>
            )
          })}
        </dl>
      )}
    </TimelineItem>
  )
}

/** Who made the change: a staff member, an API client, the patient, a visitor or the system. */
function formatActor({ by, byRole, byKey }: Pick<Entry, 'by' | 'byRole' | 'byKey'>, { people }: Directory): string {
  if (byRole === 'api_key') return byKey === null ? 'API client' : `${byKey} (API key)`
  if (by) return byId(people, by)?.fullName ?? formerStaff
  if (byRole === 'patient') return 'Patient'
  return byRole === 'visitor' ? 'Link or form' : 'System'
}
