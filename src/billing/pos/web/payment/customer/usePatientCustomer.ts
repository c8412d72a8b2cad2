import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../../ui/client/api.ts'
import type { PosCustomer } from '../../../contract.ts'
import type { NewCustomer } from './NewCustomerDialog.tsx'

export interface PatientCustomer {
  customer: PosCustomer | null
  waiting: boolean
  /** Called when the patient has no customer, or none that can be chosen. */
  hint: string | null
  /** Initial values of a new customer for this patient; empty if they have one, or if there is no patient. */
  begin: Partial<NewCustomer>
}

/** The customer of the patient that the dialog was opened from. */
export function usePatientCustomer(contactId: string | null): PatientCustomer {
  const input = contactId === null ? null : { contactId }
  const linked = useQuery(
    orpc.pos.customerOfContact.queryOptions({ input: input ?? { contactId: '' }, enabled: input !== null, staleTime: 0, gcTime: 0 }),
  )
  const customer = linked.data?.customer ?? null
  const isWithout = contactId !== null && linked.data?.customer === null
  const patient = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId ?? '' }, enabled: isWithout }))
  return {
    customer,
    waiting: contactId !== null && linked.isPending,
    hint: isWithout
      ? `${patient.data ? `${patient.data.firstName} ${patient.data.lastName}` : 'This patient'} is not in QuickBooks yet.`
      : customer && !customer.email
        ? `${customer.name} has no email in QuickBooks yet. Search for them and add one.`
        : null,
    begin:
      isWithout && patient.data
        ? {
            firstName: patient.data.firstName,
            lastName: patient.data.lastName,
            email: patient.data.email ?? '',
            contactId: patient.data.id,
          }
        : {},
  }
}
