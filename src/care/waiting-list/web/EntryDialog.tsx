import { daysLater } from '../../../shared/zoned-time.ts'
import { ContactPicker } from '../../../crm/contacts/web/embed/ContactPicker.tsx'
import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { DateInput } from '../../../ui/controls/DateInput.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { today } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { dayParts } from '../../appointments/link-rules.ts'
import { useVisitTypes } from '../../availability/web/embed/useAvailability.ts'
import { providerName, useNames } from '../../calendar/web/embed/names.ts'
import { waitingMessages } from '../contract.ts'
import { waitingLimits } from '../rules.ts'
import { dayPartLabels, nameOf, useLiveWaitingList, weekdayLabels, type EntryData } from './entry-data.ts'

interface EntryDialogProps {
  /** Null: a new one. */
  entry: EntryData | null
  /** Initial values of a new one. */
  given?: { contactId?: string | null; visitTypeId?: string | null; providerId?: string | null }
  onSaved?: (entry: EntryData) => void
  onClose: () => void
}

/** How long a new entry lasts unless another day is chosen. */
const defaultDays = 60

/** What a patient waits for: the visit, with whom and when. */
export default function EntryDialog({ entry, given = {}, onSaved, onClose }: EntryDialogProps) {
  const now = today(useClock())
  const names = useNames()
  const visitTypes = useVisitTypes()
  const refresh = useLiveWaitingList()
  const offered = (visitTypes.data ?? []).filter(({ id, isActive }) => isActive || id === entry?.visitTypeId)
  const form = useActionForm({
    initial: {
      contactId: entry?.contact.id ?? given.contactId ?? null,
      visitTypeId: entry?.visitTypeId ?? given.visitTypeId ?? null,
      providerId: entry?.providerId ?? given.providerId ?? null,
      weekdays: entry?.weekdays ?? [],
      dayParts: entry?.dayParts ?? [],
      fromDay: entry?.fromDay ?? now,
      toDay: entry?.toDay ?? daysLater(now, defaultDays),
      note: entry?.note ?? '',
    },
    check: ({ contactId, visitTypeId, fromDay, toDay }) => ({
      contactId: contactId === null ? 'Choose a patient' : undefined,
      visitTypeId: visitTypeId === null ? 'Choose a visit' : undefined,
      fromDay: fromDay === '' ? 'Enter a date' : undefined,
      toDay: toDay === '' ? 'Enter a date' : toDay < fromDay ? waitingMessages.lastDay : toDay < now ? waitingMessages.past : undefined,
    }),
    send({ contactId, visitTypeId, note, ...times }) {
      const wanted = { ...times, visitTypeId: visitTypeId!, note: note.trim() === '' ? null : note }
      if (!entry) return client.waitingList.add({ contactId: contactId!, ...wanted })
      return client.waitingList.change({ id: entry.id, version: entry.version, ...wanted })
    },
    done: ({ contact }) => (entry ? 'Entry saved' : `${nameOf(contact)} is on the waiting list`),
    onDone(saved) {
      refresh()
      onSaved?.(saved)
      onClose()
    },
  })
  const { values, problems, set } = form
  const visit = offered.find(({ id }) => id === values.visitTypeId)
  const toggled = <Item,>(all: readonly Item[], item: Item, isOn: boolean) =>
    isOn ? [...all, item] : all.filter((other) => other !== item)
  return (
    <ActionDialog
      title={entry ? 'Change waiting list entry' : 'Add to waiting list'}
      description={entry ? nameOf(entry.contact) : undefined}
      form={form}
      action={{
        label: entry ? 'Save entry' : 'Add to waiting list',
        busyLabel: entry ? 'Saving…' : 'Adding…',
        isUnready: offered.length === 0,
      }}
      onClose={onClose}
    >
      {visitTypes.isError && <Alert tone="danger">Couldn’t load the visit types. Close this and try again.</Alert>}
      {visitTypes.data && offered.length === 0 && (
        <Alert tone="warning" title="There are no visit types yet.">
          An administrator adds them in Settings, Visit types.
        </Alert>
      )}
      {!entry && given.contactId == null && (
        <Field label="Patient" error={problems.contactId}>
          <ContactPicker value={values.contactId} onValueChange={(contactId) => set({ contactId })} />
        </Field>
      )}
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <Field label="Visit" error={problems.visitTypeId}>
          <Select
            value={values.visitTypeId}
            placeholder="Choose"
            onValueChange={(visitTypeId) => {
              const next = offered.find(({ id }) => id === visitTypeId)
              set({
                visitTypeId,
                ...(values.providerId !== null && !next?.providerIds.includes(values.providerId) && { providerId: null }),
              })
            }}
            options={offered.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
        <Field label="With" error={problems.providerId}>
          <Select
            {...form.bind('providerId')}
            noneLabel="Anyone"
            options={(visit?.providerIds ?? []).map((id) => ({ value: id, label: providerName(id, names) ?? 'Former staff' }))}
          />
        </Field>
      </div>
      <fieldset>
        <legend className="pb-2 text-sm font-medium text-fg">
          Days <span className="font-regular text-fg-3">(all if none is chosen)</span>
        </legend>
        <div className="grid grid-cols-4 gap-x-3 gap-y-2.5 md:grid-cols-7">
          {weekdayLabels.map((label, place) => (
            <CheckboxLine
              key={label}
              checked={values.weekdays.includes(place + 1)}
              onCheckedChange={(isOn) => set({ weekdays: toggled(values.weekdays, place + 1, isOn) })}
            >
              {label}
            </CheckboxLine>
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend className="pb-2 text-sm font-medium text-fg">
          Times of day <span className="font-regular text-fg-3">(all if none is chosen)</span>
        </legend>
        <div className="flex flex-wrap gap-x-6 gap-y-2.5">
          {dayParts.map((part) => (
            <CheckboxLine
              key={part}
              checked={values.dayParts.includes(part)}
              onCheckedChange={(isOn) => set({ dayParts: toggled(values.dayParts, part, isOn) })}
            >
              {dayPartLabels[part]}
            </CheckboxLine>
          ))}
        </div>
      </fieldset>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <Field label="From" error={problems.fromDay}>
          <DateInput {...form.bind('fromDay')} />
        </Field>
        <Field label="Until" error={problems.toDay}>
          <DateInput {...form.bind('toDay')} min={now} />
        </Field>
      </div>
      <Field label="Note for the staff" optional error={problems.note}>
        <Textarea {...form.text('note')} rows={2} maxLength={waitingLimits.note} />
      </Field>
    </ActionDialog>
  )
}
