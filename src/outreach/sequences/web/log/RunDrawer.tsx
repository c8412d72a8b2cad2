import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePeople } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import { client, messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { SideDrawer } from '../../../../ui/overlays/SideDrawer.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { statusLabels } from '../labels.ts'
import { refreshSequences } from '../sequence-data.ts'
import { Entries } from './Entries.tsx'
import { type Control, controlDone, controlLabels, controlsOf, describeRun, statusTones } from './run-data.ts'

/** What a sequence did for a patient, step by step, what comes next, and what staff can do about it. */
export default function RunDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const cache = useQueryClient()
  const clock = useClock()
  const may = usePermission()('sequences.control')
  const people = usePeople().data ?? []
  const log = useQuery(orpc.sequences.log.queryOptions({ input: { id }, staleTime: 0 }))
  const run = log.data?.run
  const refresh = () => refreshSequences(cache)
  useLive(['sequence'], () => void refresh(), { debounceMs: 500 })
  const [busy, setBusy] = useState<Control | null>(null)
  const [isStopping, setStopping] = useState(false)

  async function control(action: Control) {
    setBusy(action)
    try {
      await client.sequences.control({ id, action, step: run?.step ?? undefined })
      toast.success(controlDone[action])
    } catch (error) {
      toast.error('Nothing was changed', messageOf(error))
    }
    await refresh()
    setBusy(null)
    setStopping(false)
  }

  const controls = run && may ? controlsOf(run) : []
  return (
    <SideDrawer
      title={run ? `${run.firstName} ${run.lastName}` : 'Sequence of a patient'}
      description={run?.sequenceName}
      aside={run && <Badge tone={statusTones[run.status]}>{statusLabels[run.status]}</Badge>}
      onClose={onClose}
      isReadOnly
      footer={
        controls.length > 0 &&
        controls.map((action) => (
          <Button
            key={action}
            variant={action === 'stop' ? 'danger' : 'outlined'}
            className={action === 'stop' ? 'ml-auto' : undefined}
            busy={busy === action}
            disabled={busy !== null && busy !== action}
            onClick={() => (action === 'stop' ? setStopping(true) : void control(action))}
          >
            {controlLabels[action]}
          </Button>
        ))
      }
    >
      {log.data && run ? (
        <>
          <p className="text-sm text-fg">{describeRun(run, clock)}</p>
          <p className="pt-1 text-sm text-fg-2">
            Version {run.number}
            {run.run > 1 && `, time ${run.run}`} ·{' '}
            <Link to="/contacts/$id" params={{ id: run.contactId }} className="rounded-xs text-accent-fg underline">
              Open patient
            </Link>
          </p>
          <Entries entries={log.data.entries} people={people} />
        </>
      ) : log.error ? (
        statusOf(log.error) === 404 ? (
          <ErrorState title="Not in this sequence">The patient was merged or deleted.</ErrorState>
        ) : (
          <ErrorState title="Couldn’t load the log" onRetry={() => void log.refetch()} retrying={log.isFetching}>
            {messageOf(log.error)}
          </ErrorState>
        )
      ) : (
        <SkeletonRows rows={4} rowClassName="border-b-0 px-0 md:px-0" />
      )}
      {isStopping && run && (
        <ConfirmDialog
          title={`Stop the sequence for ${run.firstName} ${run.lastName}?`}
          action={{ label: 'Stop sequence', busyLabel: 'Stopping…', isDanger: true }}
          isBusy={busy === 'stop'}
          onConfirm={() => void control('stop')}
          onClose={() => setStopping(false)}
        >
          The remaining steps are not carried out. This cannot be undone.
        </ConfirmDialog>
      )}
    </SideDrawer>
  )
}
