import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'

interface TellPatientProps {
  contactId: string
  value: boolean
  onChange: (value: boolean) => void
  className?: string
}

/** Whether the patient hears of it. Who has no address is told nothing, and that is said. */
export function TellPatient({ contactId, value, onChange, className }: TellPatientProps) {
  // Undefined while it is not known.
  const address = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId } })).data?.email
  if (address === null) return <p className={`${className} text-sm text-fg-3`}>The patient has no email address and is not notified.</p>
  return (
    <CheckboxLine
      checked={value}
      onCheckedChange={onChange}
      hint={<span className="wrap-anywhere">{address ? `${address}: now, when it changes, and two days and a day before` : '\u00a0'}</span>}
      className={className}
    >
      Tell the patient by email
    </CheckboxLine>
  )
}
