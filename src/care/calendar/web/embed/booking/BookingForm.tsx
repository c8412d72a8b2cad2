import type { ReactNode } from 'react'
import { AllergyBanner } from '../../../../../chart/health/web/embed/AllergyBanner.tsx'
import { Alert } from '../../../../../ui/display/Alert.tsx'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { cn } from '../../../../../ui/cn.ts'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../../ui/overlays/Dialog.tsx'
import { ConflictNotice } from '../../../../../ui/forms/ConflictNotice.tsx'
import { useProblemFocus } from '../../../../../ui/forms/useProblemFocus.ts'
import { useUnsavedGuard } from '../../../../../ui/forms/useUnsavedGuard.tsx'
import { type IdentifiedPatient, PatientIdentity } from '../../../../../crm/contacts/web/embed/PatientIdentity.tsx'
import type { BookingFormState } from './useBookingForm.ts'

/** The booking that the form is for. */
interface FormSubject {
  noun: 'appointment' | 'surgery'
  kind: 'new' | 'edit' | 'move'
  /** The patient of an existing booking, or for whom one is made. */
  patient: IdentifiedPatient | null
  /** The patient, once chosen: their allergies are shown. */
  contactId: string | null
}

interface BookingFormProps {
  booking: FormSubject
  form: BookingFormState
  onClose: () => void
  /** A question above the fields that has to be answered first. */
  notice?: ReactNode
  /** Names the time to be booked, once known. */
  submitLabel?: string | undefined
  /** Other bookings of the day. `wide`: wider than the fields. */
  aside: ReactNode
  wide?: boolean
  children: ReactNode
}

const actions = { new: 'Book', edit: 'Save', move: 'Move' }
const busy = { new: 'Booking…', edit: 'Saving…', move: 'Moving…' }

function titleOf({ noun, kind, patient }: FormSubject): string {
  if (kind === 'move' && patient) return `Move ${patient.firstName} ${patient.lastName}`
  return `${kind === 'new' ? 'Book' : 'Edit'} ${noun}`
}

/** The booking dialog: the fields, and other bookings of the day. */
export function BookingForm({ booking, form, onClose, notice, submitLabel, aside, wide, children }: BookingFormProps) {
  const { noun, kind, contactId } = booking
  const { problems, isDirty, isBusy, attempts, submit, resolveConflict } = form
  const isConflict = form.conflict !== null
  const element = useProblemFocus({ tries: attempts }, '[data-insist]')
  // While saving, the values are not unsaved changes.
  const guard = useUnsavedGuard(() => isDirty && !isBusy)

  return (
    <Dialog
      onClose={() => !isBusy && guard.close(onClose)}
      title={titleOf(booking)}
      description={booking.patient ? <PatientIdentity patient={booking.patient} hidesName={booking.kind === 'move'} /> : undefined}
      size={wide ? 'lg' : 'md'}
      dismissible={!isBusy}
    >
      <form
        ref={element}
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void submit()
        }}
      >
        <DialogBody>
          {problems.form && (
            <Alert tone="danger" className="mb-4">
              {problems.form}
            </Alert>
          )}
          {isConflict && (
            <ConflictNotice title={`Someone has changed this ${noun} in the meantime.`} className="mb-4" onResolve={resolveConflict} />
          )}
          {contactId && (
            <div className="pb-4 empty:hidden">
              <AllergyBanner contactId={contactId} isInset />
            </div>
          )}
          {notice}
          <div className={cn('grid gap-6', wide ? 'md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]' : 'md:grid-cols-[minmax(0,1fr)_13rem]')}>
            {children}
            <div className="border-line max-md:border-t max-md:pt-4 md:border-l md:pl-6">{aside}</div>
          </div>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={() => guard.leave(onClose)}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" disabled={isConflict} busy={isBusy} busyLabel={busy[kind]}>
            {submitLabel ?? `${actions[kind]} ${noun}`}
          </Button>
        </DialogFooter>
      </form>
      {guard.dialog}
    </Dialog>
  )
}
