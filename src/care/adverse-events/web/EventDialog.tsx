import { useQuery } from '@tanstack/react-query'
import { instantOf, toLocal } from '../../../shared/zoned-time.ts'
import { ContactPicker } from '../../../crm/contacts/web/embed/ContactPicker.tsx'
import { useDirectory } from '../../../crm/contacts/web/embed/useDirectory.ts'
import { client, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { DateInput, TimeInput } from '../../../ui/controls/DateInput.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { MultiSelect } from '../../../ui/controls/MultiSelect.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { formatDay, today } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { eventMessages } from '../contract.ts'
import { eventKind, eventKindNames, eventLimits, formatSeverity, isSeverityOf, reportDueOn, reportWithin, severityNames } from '../rules.ts'
import { conflictOf, type EventData, type EventSubject } from './event-data.ts'

interface EventDialogProps {
  /** Null records a new one. */
  event: EventData | null
  subject: EventSubject
  onSaved: (event: EventData) => void
  onClose: () => void
}

/** Records an adverse event, or changes its facts. Says at once whether it has to be reported, and by when. */
export default function EventDialog({ event, subject, onSaved, onClose }: EventDialogProps) {
  const clock = useClock()
  const { people } = useDirectory()
  const now = toLocal(new Date(clock.now), clock.timeZone)
  const [occurred, learned] = event ? [event.occurredAt, event.learnedAt].map((at) => toLocal(at, clock.timeZone)) : [now, now]
  const form = useActionForm({
    initial: {
      contactId: event?.contact.id ?? subject.contact?.id ?? null,
      surgeryId: event ? (event.surgery?.id ?? null) : subject.surgeryId,
      kind: event?.kind ?? null,
      severity: event?.severity ?? null,
      occurredDay: occurred!.day,
      occurredTime: event ? occurred!.time : '',
      learnedDay: learned!.day,
      learnedTime: learned!.time,
      peopleIds: event?.peopleIds ?? [],
      others: event?.others ?? '',
    },
    check: ({ contactId, kind, severity, occurredDay, occurredTime, learnedDay, learnedTime }) => ({
      contactId: contactId ? undefined : eventMessages.patient,
      kind: kind ? undefined : eventMessages.kind,
      severity: !severity ? eventMessages.severity : kind && !isSeverityOf(kind, severity) ? eventMessages.severityOfDeath : undefined,
      occurredAt: occurredDay ? undefined : eventMessages.occurred,
      occurredTime: !occurredDay || occurredTime ? undefined : eventMessages.occurred,
      learnedAt: learnedDay ? undefined : eventMessages.learned,
      learnedTime: !learnedDay || learnedTime ? undefined : eventMessages.learned,
    }),
    send({ contactId, kind, severity, occurredDay, occurredTime, learnedDay, learnedTime, ...rest }) {
      const instant = (day: string, time: string) => instantOf({ day, time }, clock.timeZone).toISOString()
      const given = {
        ...rest,
        kind: kind!,
        severity: severity!,
        occurredAt: instant(occurredDay, occurredTime),
        learnedAt: instant(learnedDay, learnedTime),
      }
      if (!event) return client.adverseEvents.create({ contactId: contactId!, ...given })
      return client.adverseEvents.change({ id: event.id, version: event.version, ...given })
    },
    done: event ? 'Adverse event saved' : 'Adverse event recorded',
    onRefused(error, problems) {
      const current = conflictOf(error)
      if (!current) return problems
      onSaved(current)
      return { form: 'Someone else has changed this event. Close this and open it again.' }
    },
    onDone: onSaved,
  })
  const { values, problems, set } = form
  const surgeries = useQuery(
    orpc.surgeries.ofContact.queryOptions({ input: { contactId: values.contactId ?? '' }, enabled: values.contactId !== null }),
  )
  const dueOn = values.kind && values.learnedDay ? reportDueOn(values.kind, values.learnedDay) : null
  const isDeath = values.kind !== null && eventKind(values.kind).isDeath === true
  const active = people.filter(({ id }) => !values.peopleIds.includes(id))
  return (
    <ActionDialog
      title={event ? 'Edit adverse event' : 'Record adverse event'}
      form={form}
      action={{ label: event ? 'Save event' : 'Record event', busyLabel: event ? 'Saving…' : 'Recording…' }}
      onClose={onClose}
    >
      {!event && !subject.contact && (
        <Field label="Patient" error={problems.contactId}>
          <ContactPicker value={values.contactId} onValueChange={(contactId) => set({ contactId, surgeryId: null })} />
        </Field>
      )}
      <Field label="What happened" error={problems.kind}>
        <Select
          value={values.kind}
          onValueChange={(kind) =>
            set({ kind, ...(kind && eventKind(kind).isDeath ? { severity: 'V' } : values.severity === 'V' ? { severity: null } : {}) })
          }
          placeholder="Choose"
          options={eventKindNames.map((value) => ({ value, label: eventKind(value).label }))}
        />
      </Field>
      {dueOn !== null && (
        <Alert tone={dueOn < today(clock) ? 'danger' : 'warning'} title="This has to be reported to the College.">
          The report is due {formatDay(dueOn)}, {reportWithin} business days after the practice learned of it.
        </Alert>
      )}
      <Field label="Severity (Clavien-Dindo)" error={problems.severity}>
        <Select
          {...form.bind('severity')}
          placeholder="Choose"
          options={severityNames.filter((value) => isDeath === (value === 'V')).map((value) => ({ value, label: formatSeverity(value) }))}
        />
      </Field>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <Field label="Happened on" error={problems.occurredAt}>
          <DateInput {...form.bind('occurredDay')} max={today(clock)} />
        </Field>
        <Field label="At" error={problems.occurredTime}>
          <TimeInput {...form.bind('occurredTime')} />
        </Field>
        <Field label="Practice learned of it on" error={problems.learnedAt}>
          <DateInput {...form.bind('learnedDay')} max={today(clock)} />
        </Field>
        <Field label="At" error={problems.learnedTime}>
          <TimeInput {...form.bind('learnedTime')} />
        </Field>
      </div>
      <Field label="Surgery" optional error={problems.surgeryId}>
        <Select
          {...form.bind('surgeryId')}
          noneLabel="None"
          options={(surgeries.data ?? []).map(({ id, procedures, startsAt }) => ({
            value: id,
            label: `${procedures.map(({ name }) => name).join(', ')}, ${formatDay(toLocal(startsAt, clock.timeZone).day)}`,
          }))}
        />
      </Field>
      <Field label="Staff involved" optional error={problems.peopleIds}>
        <MultiSelect
          picked={values.peopleIds.map((id) => ({ value: id, label: people.find((one) => one.id === id)?.fullName ?? 'Former staff' }))}
          options={active.map(({ id, fullName }) => ({ value: id, label: fullName }))}
          onAdd={(id) => set({ peopleIds: [...values.peopleIds, id] })}
          onRemove={(id) => set({ peopleIds: values.peopleIds.filter((other) => other !== id) })}
          listLabel="Staff involved"
          placeholder={values.peopleIds.length === 0 ? 'Choose a person' : 'Add a person'}
          search={{ placeholder: 'Name', empty: 'No matching people.' }}
        />
      </Field>
      <Field label="Others involved" optional error={problems.others}>
        <Input {...form.text('others')} maxLength={eventLimits.others} autoComplete="off" />
      </Field>
    </ActionDialog>
  )
}
