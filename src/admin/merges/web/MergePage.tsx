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
import { useMay } from '../../../ui/client/useMay.ts'
import { MergeForm } from './MergeForm.tsx'

/** /contacts/{id}/merge: another patient is merged into this one. */
export default function MergePage(): ReactNode {
  const { id } = useParams({ from: '/staff/contacts/$id/merge' })
  const { with: sourceId } = useSearch({ from: '/staff/contacts/$id/merge' })
  const may = useMay()
  return (
    <>
      <TopbarTitle title="Merge patients" />
      {!may('contacts.merge') ? (
        <EmptyState icon={<Lock />} title="Only sales and administrators merge patients">
          Ask one of them if two patients are the same person.
        </EmptyState>
      ) : sourceId === undefined ? (
        <ChooseSource targetId={id} />
      ) : (
        <Both key={`${id} ${sourceId}`} targetId={id} sourceId={sourceId} />
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
      <p className="pt-2 text-sm text-fg-2">Next you choose what is kept of each. Nothing is changed before.</p>
    </div>
  )
}

function Both({ targetId, sourceId }: { targetId: string; sourceId: string }) {
  const input = { id: targetId, sourceId }
  // What is merged is what was seen, so it is never taken from an earlier visit.
  const preview = useQuery(orpc.contacts.mergePreview.queryOptions({ input, gcTime: 0, staleTime: 0 }))
  const { data, error, refetch, isFetching } = preview
  // What the merge itself changes is no news: its source is gone.
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
        They were merged or deleted in the meantime.
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
