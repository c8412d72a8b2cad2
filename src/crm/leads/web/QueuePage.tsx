import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CircleCheck, Lock, TableProperties } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { useLive } from '../../../ui/client/live.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { HelpLink } from '../../../ui/display/HelpLink.tsx'
import { formatCount } from '../../../ui/format.ts'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { Pagination } from '../../../ui/display/Pagination.tsx'
import { ProgressBar } from '../../../ui/display/ProgressBar.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { useRowKeys } from '../../../ui/hooks/useRowKeys.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { useQueueCounts } from './embed/useQueueCounts.ts'
import type { QueueSearch } from './queue-search.ts'
import { type QueueCounts, QueueFilters } from './QueueFilters.tsx'
import { nameOfLead, type QueuedLead, QueueRow } from './QueueRow.tsx'
import { useFocusAfterRow } from './useFocusAfterRow.ts'

const CompleteLeadDialog = lazyDialog(
  () => import('./CompleteLeadDialog.tsx'),
  ({ onClose }) => onClose(),
)
const MapFieldsDialog = lazyDialog(
  () => import('./MapFieldsDialog.tsx'),
  ({ onClose }) => onClose(),
)

const pageSize = 25

/** /contacts/leads: leads with missing required fields, for staff to complete or discard. */
export default function QueuePage(): ReactNode {
  const may = usePermission()
  return (
    <>
      <TopbarTitle title="Leads to complete" section="Leads" />
      {may('leads.queue') ? (
        <Queue />
      ) : (
        <EmptyState icon={<Lock />} title="Only sales and administrators can complete leads">
          Ask one of them if a lead is missing.
        </EmptyState>
      )}
    </>
  )
}

interface Group {
  id: string
  name: string
  leads: QueuedLead[]
}

function Queue() {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const clock = useClock()
  const { page = 1, source, show } = useSearch({ from: '/staff/contacts/leads' })
  const input = { page, limit: pageSize, show: show ?? ('waiting' as const), ...(source ? { sourceId: source } : {}) }
  const list = useQuery(orpc.leads.queue.queryOptions({ input, placeholderData: keepPreviousData }))
  const counts = useQueueCounts()
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.leads.key() })
  useLive(['lead'], () => void cache.invalidateQueries({ queryKey: orpc.leads.queue.key() }), { debounceMs: 1000 })
  const [completing, setCompleting] = useState<QueuedLead | null>(null)
  const [mapping, setMapping] = useState<{ id: string; name: string } | null>(null)
  /** How many leads of each source were queued by saving a mapping on this page. */
  const [queued, setQueued] = useState<Readonly<Record<string, number>>>({})

  const leads = list.data?.data ?? []
  const ids = leads.map(({ id }) => id)
  useRowKeys(ids)
  const [region, focusAfter] = useFocusAfterRow(ids, completing === null)
  const go = (search: QueueSearch) => void navigate({ to: '/contacts/leads', search })
  const countsOf = (id: string) => counts?.sources.find((one) => one.id === id)
  const groups = groupsOf(leads)
  // Sources without rows whose leads are being processed still show progress.
  const working = (counts?.sources ?? []).filter(
    ({ id, processing }) => processing > 0 && !groups.some((group) => group.id === id) && (!source || source === id),
  )

  function changeRow(lead: QueuedLead, isDiscarding: boolean) {
    focusAfter(lead.id)
    void change(lead, isDiscarding)
  }

  async function change(lead: QueuedLead, isDiscarding: boolean) {
    try {
      await (isDiscarding ? client.leads.discard({ id: lead.id }) : client.leads.restore({ id: lead.id }))
      if (isDiscarding) toast.undoable(`${nameOfLead(lead)} was discarded`, () => void change(lead, false))
      else toast.success(`${nameOfLead(lead)} was restored`)
    } catch (error) {
      toast.error(isDiscarding ? 'Couldn’t discard the lead' : 'Couldn’t restore the lead', messageOf(error))
    }
    refresh()
  }

  return (
    <>
      <QueueFilters source={source} show={show} counts={counts} onChange={go} />
      <div ref={region} className="contents">
        {!list.data ? (
          list.error ? (
            <ErrorState title="Couldn't load the leads" onRetry={() => void list.refetch()} retrying={list.isFetching}>
              {messageOf(list.error)}
            </ErrorState>
          ) : (
            <SkeletonRows rows={8} className="min-h-0 flex-1 overflow-hidden" />
          )
        ) : leads.length === 0 && working.length === 0 ? (
          <EmptyQueue isDiscarded={show === 'discarded'} />
        ) : (
          <>
            <div className="min-h-0 flex-1 overflow-y-auto">
              {[...groups, ...working.map(({ id, name }) => ({ id, name, leads: [] }))].map((group) => (
                <SourceSection
                  key={group.id}
                  source={group}
                  counts={countsOf(group.id)}
                  queued={queued[group.id]}
                  isDiscarded={show === 'discarded'}
                  onMap={setMapping}
                >
                  {group.leads.map((lead) => (
                    <QueueRow
                      key={lead.id}
                      lead={lead}
                      clock={clock}
                      onComplete={() => setCompleting(lead)}
                      onDiscard={() => changeRow(lead, true)}
                      onRestore={() => changeRow(lead, false)}
                    />
                  ))}
                </SourceSection>
              ))}
            </div>
            <Pagination
              first={(page - 1) * pageSize + 1}
              last={(page - 1) * pageSize + leads.length}
              page={page}
              pageSize={pageSize}
              total={list.data.total}
              onPageChange={(next) => go({ source, show, ...(next > 1 ? { page: next } : {}) })}
            />
          </>
        )}
      </div>
      {completing && (
        <CompleteLeadDialog lead={completing} onCompleted={() => focusAfter(completing.id)} onClose={() => setCompleting(null)} />
      )}
      {mapping && (
        <MapFieldsDialog
          source={mapping}
          waiting={countsOf(mapping.id)?.waiting ?? 0}
          onMapped={(count) => setQueued((before) => ({ ...before, [mapping.id]: count }))}
          onClose={() => setMapping(null)}
        />
      )}
    </>
  )
}

function EmptyQueue({ isDiscarded }: { isDiscarded: boolean }) {
  return isDiscarded ? (
    <EmptyState icon={<CircleCheck />} title="No discarded leads yet">
      Discarded leads appear here and can be restored.
    </EmptyState>
  ) : (
    <EmptyState
      icon={<CircleCheck />}
      title="All leads are complete"
      actions={<HelpLink to="leads-and-patients#leads-to-complete">How leads are completed</HelpLink>}
    >
      A lead without a name or a valid email appears here as soon as it arrives.
    </EmptyState>
  )
}

interface SourceSectionProps {
  source: Group
  counts: NonNullable<QueueCounts>['sources'][number] | undefined
  /** How many of its leads were queued by saving a mapping on this page. */
  queued: number | undefined
  isDiscarded: boolean
  onMap: (source: { id: string; name: string }) => void
  /** The rows of its leads. */
  children: ReactNode
}

/** A source with its leads, their progress, and the button that maps its fields. */
function SourceSection({ source, counts, queued, isDiscarded, onMap, children }: SourceSectionProps) {
  return (
    <section aria-label={source.name}>
      <div className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-subtle px-4 py-2 md:px-6">
        <h2 className="min-w-0 text-title font-semibold wrap-anywhere text-fg">{source.name}</h2>
        {!isDiscarded && <span className="text-sm text-fg-3 tabular-nums">{formatCount(counts?.waiting ?? 0)} to complete</span>}
        <span className="flex-1" />
        {!isDiscarded && source.leads.length > 0 && (
          <Button
            icon={<TableProperties />}
            aria-label={`Map fields of ${source.name}`}
            onPointerEnter={MapFieldsDialog.prepare}
            onClick={() => onMap({ id: source.id, name: source.name })}
          >
            Map fields
          </Button>
        )}
        <Processing processing={counts?.processing ?? 0} queued={queued} />
      </div>
      <ul aria-label={`Leads of ${source.name}`}>{children}</ul>
    </section>
  )
}

/** Progress of a source's leads that are being processed. The total is known only if they were queued on this page. */
function Processing({ processing, queued }: { processing: number; queued: number | undefined }) {
  if (processing === 0) return null
  const total = Math.max(queued ?? 0, processing)
  return (
    <div className="w-full">
      <ProgressBar
        label="Processing leads"
        value={(total - processing) / total}
        indeterminate={queued === undefined}
        detail={queued === undefined ? `${formatCount(processing)} left` : `${formatCount(total - processing)} of ${formatCount(total)}`}
      />
    </div>
  )
}

/** Groups leads, sorted by source, into sections. */
function groupsOf(leads: readonly QueuedLead[]): Group[] {
  const groups = new Map<string, Group>()
  for (const lead of leads) {
    const group = groups.get(lead.sourceId) ?? { id: lead.sourceId, name: lead.sourceName, leads: [] }
    group.leads.push(lead)
    groups.set(lead.sourceId, group)
  }
  return [...groups.values()]
}
