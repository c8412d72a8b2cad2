import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'

interface NotifyPatientProps {
  contactId: string
  value: boolean
  onChange: (value: boolean) => void
  className?: string
}

/** Whether the patient is emailed about the appointment; a note if they have no email address. */
export function NotifyPatient({ contactId, value, onChange, className }: NotifyPatientProps) {
  // Undefined while loading.
  const address = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId } })).data?.email
  if (address === null) return <p className={`${className} text-sm text-fg-3`}>The patient has no email address and is not notified.</p>
  return (
    <CheckboxLine
      checked={value}
      onCheckedChange={onChange}
      hint={<span className="wrap-anywhere">{address ? `${address}: now, on changes, and 2 days and 1 day before` : '\u00a0'}</span>}
      className={className}
    >
      Email confirmation and reminders
    </CheckboxLine>
  )
}
