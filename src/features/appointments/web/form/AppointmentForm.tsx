import { format, parseISO } from 'date-fns'
import { useEffect, useRef, useState } from 'react'
import { weekdayOf } from '../../../practice/rules.ts'
import { hoursInWords } from '../../../practice/web/embed/hours-words.ts'
import { useHours } from '../../../practice/web/embed/usePractice.ts'
import { useClock } from '../../../../web/session.ts'
import { Alert } from '../../../../web/ui/Alert.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../../web/ui/ConfirmDialog.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../web/ui/Dialog.tsx'
import { toast } from '../../../../web/ui/toast.ts'
import { formatDateTime } from '../../../../web/ui/format.ts'
import { type AppointmentData, type AppointmentPatient, patientName } from '../appointment-data.ts'
import type { useNames } from '../useNames.ts'
import { AppointmentFields } from './AppointmentFields.tsx'
import type { AppointmentValues } from './appointment-values.ts'
import { DayPanel } from './DayPanel.tsx'
import { useAppointmentForm } from './useAppointmentForm.ts'

interface AppointmentFormProps {
  /** Null: a new one. */
  appointment: AppointmentData | null
  patient: AppointmentPatient | null
  initial: AppointmentValues
  names: ReturnType<typeof useNames>
  isMove: boolean
  onClose: () => void
  onSaved?: (after: AppointmentData) => void
}

/** The fields, beside what else there is that day. */
export function AppointmentForm({ appointment, patient, initial, names, isMove, onClose, onSaved }: AppointmentFormProps) {
  const clock = useClock()
  const [isLeaving, setLeaving] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const { values, change, problems, isDirty, isBusy, tries, submit, conflict, settle, isClosed } = useAppointmentForm({
    appointment,
    initial,
    names,
    onSaved(after) {
      const when = formatDateTime(after.startsAt, clock)
      toast.success(appointment ? `${patientName(after)}: saved for ${when}` : `${patientName(after)} is booked for ${when}`)
      onClose()
      onSaved?.(after)
    },
  })
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-insist]')?.focus()
  }, [tries])

  function close() {
    if (isBusy) return
    if (isDirty) setLeaving(true)
    else onClose()
  }

  return (
    <Dialog
      open
      onOpenChange={close}
      title={isMove ? `Move ${patient!.firstName} ${patient!.lastName}` : appointment ? 'Edit appointment' : 'Book appointment'}
      size="md"
      dismissible={!isBusy}
    >
      <form
        ref={form}
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
          {conflict && (
            <Alert
              tone="warning"
              title="Somebody has changed this appointment meanwhile."
              className="mb-4"
              action={
                <span className="flex gap-2">
                  <Button size="sm" onClick={() => settle('mine')}>
                    Keep what I typed
                  </Button>
                  <Button size="sm" onClick={() => settle('theirs')}>
                    Show theirs
                  </Button>
                </span>
              }
            >
              Nothing was saved yet.
            </Alert>
          )}
          {isClosed && <Closed values={values} isNew={!appointment} onInsist={() => void submit(true)} />}
          <div className="grid gap-6 md:grid-cols-[minmax(0,1fr)_13rem]">
            <AppointmentFields
              values={values}
              problems={problems}
              onChange={change}
              names={names}
              patient={patient}
              kept={initial}
              isMove={isMove}
            />
            <div className="border-line max-md:border-t max-md:pt-4 md:border-l md:pl-6">
              <DayPanel values={values} except={appointment?.id ?? null} names={names} onTime={(time) => change({ ...values, time })} />
            </div>
          </div>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            size="lg"
            variant="filled"
            disabled={conflict !== null}
            busy={isBusy}
            busyLabel={isMove ? 'Moving...' : appointment ? 'Saving...' : 'Booking...'}
          >
            {isMove ? 'Move appointment' : appointment ? 'Save appointment' : 'Book appointment'}
          </Button>
        </DialogFooter>
      </form>
      {isLeaving && (
        <ConfirmDialog
          open
          onOpenChange={() => setLeaving(false)}
          title={appointment ? 'Leave without saving?' : 'Leave without booking?'}
          confirmLabel="Discard changes"
          cancelLabel="Keep editing"
          danger
          onConfirm={onClose}
        >
          What you typed is not saved yet.
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

/** The practice is closed at that time: it may be meant all the same. */
function Closed({ values, isNew, onInsist }: { values: AppointmentValues; isNew: boolean; onInsist: () => void }) {
  const hours = useHours().data ?? []
  const weekday = weekdayOf(values.day)
  return (
    <Alert
      tone="warning"
      title="The practice is closed then."
      className="mb-4"
      action={
        <Button size="sm" data-insist onClick={onInsist}>
          {isNew ? 'Book it anyway' : 'Save it anyway'}
        </Button>
      }
    >
      {format(parseISO(values.day), 'EEEE')}: {hoursInWords(hours, weekday)}.
    </Alert>
  )
}
