import { useQuery } from '@tanstack/react-query'
import { PatientIdentity } from '../../crm/contacts/web/embed/PatientIdentity.tsx'
import { orpc } from '../../ui/client/api.ts'

/** Whose document the viewer shows, on pages that know only the patient's id. */
export function PatientOfDocument({ contactId }: { contactId: string }) {
  const { data } = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId } }))
  return (
    data && (
      <>
        <PatientIdentity patient={data} />
        {' · '}
      </>
    )
  )
}
