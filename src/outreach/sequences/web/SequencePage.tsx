import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf, orpc, statusOf } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { AllSequences } from './AllSequences.tsx'
import { SequenceEditor } from './editor/SequenceEditor.tsx'
import { refreshSequences, type SequenceData } from './sequence-data.ts'

/** The page /settings/sequences/{id}: the steps of a sequence, for whom it would start, and how it is doing (issue 28). */
export default function SequencePage(): ReactNode {
  const { id } = useParams({ from: '/staff/settings/sequences/$id' })
  const isAllowed = usePermission()('sequences.get')
  return (
    <>
      <TopbarTitle
        title="Sequences"
        section="Sequences"
        crumbs={[
          { label: 'Settings', link: { to: '/settings' } },
          { label: 'Sequences', link: { to: '/settings/$section', params: { section: 'sequences' } } },
        ]}
      />
      {isAllowed ? (
        <Loaded key={id} id={id} />
      ) : (
        <EmptyState icon={<Lock />} title="Your role doesn’t see sequences">
          Administrators and sales build them. An administrator can change your role.
        </EmptyState>
      )}
    </>
  )
}

function Loaded({ id }: { id: string }) {
  const cache = useQueryClient()
  const sequence = useQuery(orpc.sequences.get.queryOptions({ input: { id }, staleTime: 0 }))
  useLive(
    ['sequence'],
    (ids) => {
      if (ids === null || ids.has(id)) void refreshSequences(cache)
    },
    { debounceMs: 1000 },
  )
  const { data, error } = sequence
  // The type of recursive steps is lost on the way through the client.
  if (data) return <SequenceEditor sequence={data as SequenceData} />
  if (error && (statusOf(error) === 404 || statusOf(error) === 422))
    return (
      <EmptyState title="Sequence not found" actions={<AllSequences />}>
        It was deleted, or the address is wrong.
      </EmptyState>
    )
  if (error)
    return (
      <ErrorState title="Couldn’t load the sequence" onRetry={() => void sequence.refetch()} retrying={sequence.isFetching}>
        {messageOf(error)}
      </ErrorState>
    )
  return <SkeletonRows rows={6} className="max-w-140" />
}
