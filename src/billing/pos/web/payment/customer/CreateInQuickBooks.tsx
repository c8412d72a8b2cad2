import { CircleAlert, UserPlus } from 'lucide-react'
import { useId, useState } from 'react'
import { Alert } from '../../../../../ui/display/Alert.tsx'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { toast } from '../../../../../ui/overlays/toast.ts'
import type { PosCustomer } from '../../../contract.ts'
import { isEmail } from './check-customer.ts'
import { createCustomer, type NewCustomer } from './NewCustomerDialog.tsx'
import { reasonOf } from '../../../../../ui/client/refusal.ts'

interface CreateInQuickBooksProps {
  begin: Partial<NewCustomer>
  error: string | undefined
  onCreated: (customer: PosCustomer) => void
  /** Called when the patient's name or email is missing and must be entered. */
  onIncomplete: () => void
}

/** Creates a customer for the patient in one step. */
export function CreateInQuickBooks({ begin, error, onCreated, onIncomplete }: CreateInQuickBooksProps) {
  const errorId = useId()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { firstName = '', lastName = '', email = '', contactId } = begin

  async function create() {
    if (firstName.trim() === '' || lastName.trim() === '' || !isEmail(email)) return onIncomplete()
    setBusy(true)
    setProblem(null)
    try {
      onCreated(await createCustomer({ firstName, lastName, email, ...(contactId && { contactId }) }))
    } catch (error) {
      toast.error('Failed to create customer')
      setProblem(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button
        data-creates
        aria-describedby={error && errorId}
        icon={<UserPlus />}
        busy={isBusy}
        busyLabel="Creating…"
        className="mt-2 max-w-full self-start"
        onClick={() => void create()}
      >
        Create in QuickBooks
      </Button>
      {error && (
        <p id={errorId} role="alert" className="flex gap-1.5 pt-1.5 text-sm text-danger-fg">
          <CircleAlert aria-hidden="true" className="mt-0.5" />
          {error}
        </p>
      )}
      {problem && (
        <Alert tone="danger" className="mt-2">
          {problem}
        </Alert>
      )}
    </>
  )
}
