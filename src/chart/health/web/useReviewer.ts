import { formerStaff } from '../../../crm/contacts/web/embed/contact-text.ts'
import { byId } from '../../../crm/contacts/web/embed/directory.ts'
import { usePeople } from '../../../crm/contacts/web/embed/useDirectory.ts'

/** The name of the person who reviewed or measured something. */
export function useReviewer(): (id: string | null) => string {
  const people = usePeople().data ?? []
  return (id) => byId(people, id)?.fullName ?? (people.length === 0 ? 'staff' : formerStaff)
}
