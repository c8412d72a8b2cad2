import { Alert } from '../ui/display/Alert.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { type Clock, today } from '../ui/format.ts'
import type { ContactData } from '../crm/contacts/web/embed/contact-data.ts'
import { resultsReceived } from '../crm/contacts/consult-rules.ts'
import type { ChangeContact } from '../crm/contacts/web/embed/useContactChange.ts'

interface SpecialistAlertProps {
  contact: ContactData
  clock: Clock
  change: ChangeContact
}

/** A warning above the timeline until the specialist's results are received. */
export function SpecialistAlert({ contact, clock, change }: SpecialistAlertProps) {
  if (!contact.requiresSpecialistConsult || contact.specialistResultsReceived) return null
  const details = [contact.specialistConsultType, contact.specialistConsultReason].filter(Boolean).join(', ')

  function markReceived() {
    const fields = resultsReceived(contact, today(clock))
    void change({
      fields,
      expected: fields,
      done: 'Results marked as received',
      failed: 'The results were not marked as received',
      undo: {
        specialistResultsReceived: false,
        specialistResultsDate: contact.specialistResultsDate,
        notes: contact.notes,
        specialistNotes: contact.specialistNotes,
      },
    })
  }

  return (
    <Alert
      tone="warning"
      title="Specialist consult required."
      action={
        <Button size="sm" onClick={markReceived}>
          Mark results received
        </Button>
      }
    >
      {details && `${details.replace(/\.$/, '')}. `}Results not received.
    </Alert>
  )
}
