import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Lock, Users } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { ContactPicker } from '../../../crm/contacts/web/embed/ContactPicker.tsx'
import { fullName } from '../../../crm/contacts/web/embed/contact-data.ts'
import { messageOf, orpc, statusOf } from '../../../ui/client/api.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { useLive } from '../../../ui/client/live.ts'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { MergeForm } from './MergeForm.tsx'

/** /contacts/{id}/merge: another patient is merged into this one. */
export default function MergePage(): ReactNode {
  const { id } = useParams({ from: '/staff/contacts/$id/merge' })
  const { with: sourceId } = useSearch({ from: '/staff/contacts/$id/merge' })
  const may = usePermission()
  return (
    <>
      <TopbarTitle title="Merge patients" />
      {!may('contacts.merge') ? (
        <EmptyState icon={<Lock />} title="Only sales and administrators can merge patients">
          Ask one of them if two patients are the same person.
        </EmptyState>
      ) : sourceId === undefined ? (
        <ChooseSource targetId={id} />
      ) : (
        <MergeLoader key={`${id} ${sourceId}`} targetId={id} sourceId={sourceId} />
      )}
    </>
  )
}

function ChooseSource({ targetId }: { targetId: string }) {
  const navigate = useNavigate()
  const target = useQuery(orpc.contacts.get.queryOptions({ input: { id: targetId } }))
  return (
    <div className="max-w-120 p-4 md:p-6">
      <Field label={target.data ? `Who is the same person as ${fullName(target.data)}?` : 'Who is the same person?'}>
        <ContactPicker
          value={null}
          exclude={[targetId]}
          onValueChange={(sourceId) => {
            if (sourceId) void navigate({ to: '/contacts/$id/merge', params: { id: targetId }, search: { with: sourceId }, replace: true })
          }}
        />
      </Field>
      <p className="pt-2 text-sm text-fg-2">Next, choose which values to keep. Nothing changes until then.</p>
    </div>
  )
}

function MergeLoader({ targetId, sourceId }: { targetId: string; sourceId: string }) {
  const input = { id: targetId, sourceId }
  // Never cached, so that the user merges exactly what they see.
  const preview = useQuery(orpc.contacts.mergePreview.queryOptions({ input, gcTime: 0, staleTime: 0 }))
  const { data, error, refetch, isFetching } = preview
  // Ignore live events caused by the merge itself: the source no longer exists.
  const mergingRef = useRef(false)
  useLive(
    ['contact'],
    (ids) => {
      if (!mergingRef.current && (ids === null || ids.has(targetId) || ids.has(sourceId))) void refetch()
    },
    { debounceMs: 300 },
  )

  if (error && (statusOf(error) === 404 || statusOf(error) === 422)) {
    return (
      <EmptyState icon={<Users />} title="One of the two patients was not found">
        They may have been merged or deleted.
      </EmptyState>
    )
  }
  if (data) return <MergeForm preview={data} mergingRef={mergingRef} onStale={() => void refetch()} />
  if (!error) return <SkeletonRows rows={8} className="p-4 md:p-6" />
  return (
    <ErrorState title="Couldn’t load the two patients" onRetry={() => void refetch()} retrying={isFetching}>
      {messageOf(error)}
    </ErrorState>
  )
}
