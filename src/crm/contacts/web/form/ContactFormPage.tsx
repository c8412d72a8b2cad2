import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { codeOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { NoSuchPatient, RecordFailed } from '../embed/RecordStates.tsx'
import { EditContact } from './EditContact.tsx'
import { NewContact } from './NewContact.tsx'

/** The form for /contacts/new and /contacts/{id}/edit (spec 2). */
export default function ContactFormPage(): ReactNode {
  const { id } = useParams({ strict: false })
  return id === undefined ? <NewContact /> : <Stored key={id} id={id} />
}

/** The form is filled once; conflicting changes are resolved when it is saved. */
function Stored({ id }: { id: string }) {
  const { data, error, isFetching, refetch } = useQuery(orpc.contacts.get.queryOptions({ input: { id } }))
  const isMissing = codeOf(error) === 'NOT_FOUND' || statusOf(error) === 422
  if (data && !isMissing) return <EditContact contact={data} />
  return (
    <>
      <TopbarTitle title="Edit patient" />
      {isMissing ? (
        <NoSuchPatient />
      ) : error ? (
        <RecordFailed error={error} retrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={10} className="pt-6" rowClassName="border-b-0" />
      )}
    </>
  )
}
