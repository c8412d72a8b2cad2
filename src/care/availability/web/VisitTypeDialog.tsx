import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDirectory } from '../../../crm/contacts/web/embed/useDirectory.ts'
import { useRooms } from '../../../platform/practice/web/embed/usePractice.ts'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { CopyField } from '../../../ui/controls/CopyField.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { MoneyInput } from '../../../ui/controls/MoneyInput.tsx'
import { MultiSelect } from '../../../ui/controls/MultiSelect.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { appointmentTypes, defaultMinutesByType } from '../../appointments/rules.ts'
import { typeLabels } from '../../appointments/web/embed/labels.ts'
import { assignableRoles } from '../../../crm/contacts/rules.ts'
import { openDays } from '../../../chart/forms/status-rules.ts'
import { centsToText, textToCents } from '../../../shared/money.ts'
import { availabilityMessages, depositProblems } from '../contract.ts'
import { patientKinds } from '../rules.ts'
import { type DepositKind, depositKinds } from '../terms-rules.ts'
import { depositLabels, patientLabels } from './availability-labels.ts'
import { useEquipment, type VisitTypeData } from './embed/useAvailability.ts'

interface VisitTypeDialogProps {
  /** Null to add one. */
  visitType: VisitTypeData | null
  onClose: () => void
}

const depositHints: Record<DepositKind, string> = {
  none: 'Patients book without paying.',
  amount: 'It goes back to the card if the visit is cancelled in time.',
  percent: 'It goes back to the card if the visit is cancelled in time.',
  card: 'Nothing is charged, but fees can be.',
}

const toNumber = (typed: string): number => (/^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN)

const feeToText = (cents: number | undefined): string => (cents ? centsToText(cents) : '')

interface TypedDeposit {
  depositKind: DepositKind
  depositCents: string
  depositPercent: string
  priceCents: string
  lateFeeCents: string
  noShowFeeCents: string
}

/** The typed deposit, as it is sent: only what its kind needs. */
function depositOf({ depositKind, depositCents, depositPercent, priceCents, lateFeeCents, noShowFeeCents }: TypedDeposit) {
  const feeOf = (text: string) => (depositKind === 'none' ? 0 : (textToCents(text) ?? 0))
  return {
    depositKind,
    depositCents: depositKind === 'amount' ? (textToCents(depositCents) ?? null) : null,
    depositPercent: depositKind === 'percent' && depositPercent.trim() !== '' ? toNumber(depositPercent) : null,
    priceCents: textToCents(priceCents) ?? null,
    lateFeeCents: feeOf(lateFeeCents),
    noShowFeeCents: feeOf(noShowFeeCents),
  }
}

/** Amounts that cannot be read. */
function wrongAmounts(typed: TypedDeposit) {
  const fields = ['depositCents', 'priceCents', 'lateFeeCents', 'noShowFeeCents'] as const
  const wrong = fields.filter((field) => textToCents(typed[field]) === undefined)
  return Object.fromEntries(wrong.map((field) => [field, 'Enter an amount in dollars'])) as Partial<Record<(typeof fields)[number], string>>
}

export default function VisitTypeDialog({ visitType, onClose }: VisitTypeDialogProps) {
  const cache = useQueryClient()
  // As opened, so that a change by someone else is detected by its version.
  const [before] = useState(visitType)
  /** The provider whose link is shown; null: anyone. */
  const [linkFor, setLinkFor] = useState<string | null>(null)
  const { people } = useDirectory()
  const rooms = useRooms().data ?? []
  const equipment = useEquipment().data ?? []
  const templates = useQuery(orpc.forms.templates.queryOptions({ staleTime: 0 }))
  const sendable = templates.data?.filter(({ isActive, publishedNumber }) => isActive && publishedNumber !== null) ?? []
  const form = useActionForm({
    initial: {
      name: before?.name ?? '',
      nameFr: before?.nameFr ?? '',
      description: before?.description ?? '',
      descriptionFr: before?.descriptionFr ?? '',
      type: before?.type ?? 'consult',
      minutes: String(before?.minutes ?? defaultMinutesByType.consult),
      bufferBefore: String(before?.bufferBefore ?? 0),
      bufferAfter: String(before?.bufferAfter ?? 0),
      noticeHours: String(before?.noticeHours ?? 24),
      horizonDays: String(before?.horizonDays ?? 90),
      changeHours: String(before?.changeHours ?? 24),
      depositKind: before?.depositKind ?? 'none',
      depositCents: centsToText(before?.depositCents ?? null),
      depositPercent: before?.depositPercent?.toString() ?? '',
      priceCents: centsToText(before?.priceCents ?? null),
      isDepositFirstOnly: before?.isDepositFirstOnly ?? false,
      lateFeeCents: feeToText(before?.lateFeeCents),
      noShowFeeCents: feeToText(before?.noShowFeeCents),
      isSeries: before ? before.seriesVisits !== null : false,
      seriesVisits: before?.seriesVisits?.toString() ?? '4',
      seriesWeeks: before?.seriesWeeks?.toString() ?? '4',
      maxPerDay: before?.maxPerDay?.toString() ?? '',
      patients: before?.patients ?? 'all',
      isOnline: before?.isOnline ?? false,
      isActive: before?.isActive ?? true,
      providerIds: before?.providerIds ?? [],
      secondIds: before?.secondIds ?? [],
      roomIds: before?.roomIds ?? [],
      equipmentIds: before?.equipmentIds ?? [],
      formIds: before?.formIds ?? [],
    },
    check: (typed) => {
      const { name, providerIds, minutes, bufferBefore, bufferAfter, noticeHours, horizonDays, changeHours, maxPerDay } = typed
      const whole = (typed: string) => (Number.isNaN(toNumber(typed)) ? 'Enter a whole number' : undefined)
      return {
        name: name.trim() === '' ? availabilityMessages.name : undefined,
        providerIds: providerIds.length === 0 ? availabilityMessages.provider : undefined,
        minutes: whole(minutes),
        bufferBefore: whole(bufferBefore),
        bufferAfter: whole(bufferAfter),
        noticeHours: whole(noticeHours),
        horizonDays: whole(horizonDays),
        changeHours: whole(changeHours),
        seriesVisits: typed.isSeries ? whole(typed.seriesVisits) : undefined,
        seriesWeeks: typed.isSeries ? whole(typed.seriesWeeks) : undefined,
        maxPerDay: maxPerDay.trim() === '' ? undefined : whole(maxPerDay),
        ...(typed.isOnline ? depositProblems(depositOf(typed)) : {}),
        ...wrongAmounts(typed),
      }
    },
    refusals: { NAME_TAKEN: 'name' },
    send({ isActive, maxPerDay, isSeries, ...given }) {
      const fields = {
        ...given,
        minutes: toNumber(given.minutes),
        bufferBefore: toNumber(given.bufferBefore),
        bufferAfter: toNumber(given.bufferAfter),
        noticeHours: toNumber(given.noticeHours),
        horizonDays: toNumber(given.horizonDays),
        changeHours: toNumber(given.changeHours),
        seriesVisits: isSeries ? toNumber(given.seriesVisits) : null,
        seriesWeeks: isSeries ? toNumber(given.seriesWeeks) : null,
        maxPerDay: maxPerDay.trim() === '' ? null : toNumber(maxPerDay),
        ...depositOf(given),
      }
      return before
        ? client.availability.changeVisitType({ ...fields, id: before.id, version: before.version, isActive })
        : client.availability.addVisitType(fields)
    },
    done: (saved) => `${saved.name} was ${before ? 'saved' : 'added'}`,
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.availability.key() })
      onClose()
    },
  })
  const { problems, values } = form
  const nameOf = (id: string) => people.find((one) => one.id === id)?.fullName ?? 'Former staff'
  const roomOf = (id: string) => rooms.find((one) => one.id === id)?.name ?? 'Former room'
  const providers = people.filter(({ role }) => assignableRoles.assignedProviderId.some((assignable) => assignable === role))
  const picker = (
    key: 'providerIds' | 'secondIds' | 'roomIds' | 'equipmentIds' | 'formIds',
    all: readonly { value: string; label: string }[],
    labelOf: (id: string) => string,
  ) => {
    const { value: chosen, onValueChange } = form.bind(key)
    return {
      picked: chosen.map((id) => ({ value: id, label: labelOf(id) })),
      options: all.filter(({ value }) => !chosen.includes(value)),
      onAdd: (id: string) => onValueChange([...chosen, id]),
      onRemove: (id: string) => onValueChange(chosen.filter((one) => one !== id)),
    }
  }
  const number = (
    name:
      | 'minutes'
      | 'bufferBefore'
      | 'bufferAfter'
      | 'noticeHours'
      | 'horizonDays'
      | 'changeHours'
      | 'maxPerDay'
      | 'seriesVisits'
      | 'seriesWeeks'
      | 'depositPercent',
    unit?: string,
  ) => (
    <Input
      {...form.text(name)}
      inputMode="numeric"
      autoComplete="off"
      maxLength={3}
      trailing={unit && <span className="text-sm">{unit}</span>}
    />
  )
  const staff = people.map(({ id, fullName }) => ({ value: id, label: fullName }))

  return (
    <ActionDialog
      size="md"
      title={before ? 'Edit visit type' : 'Add visit type'}
      form={form}
      action={{ label: before ? 'Save visit type' : 'Add visit type' }}
      onClose={onClose}
    >
      <div className="grid gap-x-3 gap-y-4 md:grid-cols-2">
        <Field label="Name" error={problems.name}>
          <Input {...form.text('name')} maxLength={100} autoComplete="off" />
        </Field>
        <Field label="Name in French" optional error={problems.nameFr}>
          <Input {...form.text('nameFr')} maxLength={100} autoComplete="off" lang="fr" />
        </Field>
        <Field label="Description for patients" optional error={problems.description}>
          <Textarea {...form.text('description')} rows={2} maxLength={1000} />
        </Field>
        <Field label="Description in French" optional error={problems.descriptionFr}>
          <Textarea {...form.text('descriptionFr')} rows={2} maxLength={1000} lang="fr" />
        </Field>
      </div>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4 md:grid-cols-4">
        <Field label="Type" error={problems.type}>
          <Select {...form.choice('type')} options={appointmentTypes.map((value) => ({ value, label: typeLabels[value] }))} />
        </Field>
        <Field label="Duration" error={problems.minutes}>
          {number('minutes', 'min')}
        </Field>
        <Field label="Buffer before" error={problems.bufferBefore}>
          {number('bufferBefore', 'min')}
        </Field>
        <Field label="Buffer after" error={problems.bufferAfter}>
          {number('bufferAfter', 'min')}
        </Field>
      </div>
      <Field label="Providers" error={problems.providerIds} hint="One of them sees the patient.">
        <MultiSelect
          listLabel="Chosen providers"
          placeholder="Add a provider"
          {...picker(
            'providerIds',
            providers.map(({ id, fullName }) => ({ value: id, label: fullName })),
            nameOf,
          )}
        />
      </Field>
      <div className="grid gap-x-3 gap-y-4 md:grid-cols-2">
        <Field label="Second person" optional error={problems.secondIds} hint="One of them takes part too, such as a nurse.">
          <MultiSelect listLabel="Chosen second persons" placeholder="Add a person" {...picker('secondIds', staff, nameOf)} />
        </Field>
        <Field label="Rooms" optional error={problems.roomIds} hint="Any that is free. Without one, no room is reserved.">
          <MultiSelect
            listLabel="Chosen rooms"
            placeholder="Add a room"
            {...picker(
              'roomIds',
              rooms.filter(({ isActive }) => isActive).map(({ id, name }) => ({ value: id, label: name })),
              roomOf,
            )}
          />
        </Field>
      </div>
      {(equipment.length > 0 || values.equipmentIds.length > 0) && (
        <Field label="Equipment" optional error={problems.equipmentIds} hint="A piece of each has to be free.">
          <MultiSelect
            listLabel="Chosen equipment"
            placeholder="Add equipment"
            {...picker(
              'equipmentIds',
              equipment.filter(({ isActive }) => isActive).map(({ id, name }) => ({ value: id, label: name })),
              (id) => equipment.find((one) => one.id === id)?.name ?? 'Former equipment',
            )}
          />
        </Field>
      )}
      <Field label="Most on a day for one provider" optional error={problems.maxPerDay} className="md:w-1/2 md:pr-1.5">
        {number('maxPerDay', 'visits')}
      </Field>
      <CheckboxLine {...form.tick('isSeries')} hint="Staff book all visits at once. Patients who book themselves get the first.">
        Series of visits
      </CheckboxLine>
      {values.isSeries && (
        <div className="grid grid-cols-2 gap-x-3 gap-y-4">
          <Field label="Number of visits" error={problems.seriesVisits}>
            {number('seriesVisits', 'visits')}
          </Field>
          <Field label="Time between visits" error={problems.seriesWeeks}>
            {number('seriesWeeks', 'weeks')}
          </Field>
        </div>
      )}
      <CheckboxLine {...form.tick('isOnline')} hint="For the page where patients book without a call.">
        Patients may book it themselves
      </CheckboxLine>
      {values.isOnline && (
        <div className="grid gap-x-3 gap-y-4 md:grid-cols-2">
          <Field label="For" error={problems.patients}>
            <Select {...form.choice('patients')} options={patientKinds.map((value) => ({ value, label: patientLabels[value] }))} />
          </Field>
          <Field label="Minimum notice" error={problems.noticeHours}>
            {number('noticeHours', 'hours')}
          </Field>
          <Field label="Up to" error={problems.horizonDays}>
            {number('horizonDays', 'days ahead')}
          </Field>
          <Field label="Changed or cancelled until" error={problems.changeHours}>
            {number('changeHours', 'hours before')}
          </Field>
        </div>
      )}
      {values.isOnline && (
        <div className="grid gap-x-3 gap-y-4 md:grid-cols-2">
          <Field label="Displayed price" optional error={problems.priceCents}>
            <MoneyInput {...form.bind('priceCents')} />
          </Field>
          <Field label="With the booking" error={problems.depositKind} hint={depositHints[values.depositKind]}>
            <Select {...form.choice('depositKind')} options={depositKinds.map((value) => ({ value, label: depositLabels[value] }))} />
          </Field>
        </div>
      )}
      {values.isOnline && values.depositKind !== 'none' && (
        <div className="grid items-end gap-x-3 gap-y-4 md:grid-cols-3">
          {values.depositKind === 'amount' && (
            <Field label="Deposit" error={problems.depositCents}>
              <MoneyInput {...form.bind('depositCents')} />
            </Field>
          )}
          {values.depositKind === 'percent' && (
            <Field label="Deposit" error={problems.depositPercent}>
              {number('depositPercent', '% of the price')}
            </Field>
          )}
          <Field label="Late cancellation fee" optional error={problems.lateFeeCents}>
            <MoneyInput {...form.bind('lateFeeCents')} />
          </Field>
          <Field label="No-show fee" optional error={problems.noShowFeeCents}>
            <MoneyInput {...form.bind('noShowFeeCents')} />
          </Field>
          <CheckboxLine
            {...form.tick('isDepositFirstOnly')}
            className="md:col-span-3"
            hint="Patients who have been here before leave nothing."
          >
            First visit only
          </CheckboxLine>
        </div>
      )}
      {values.isOnline && (
        <Field
          label="Forms that patients fill in"
          optional
          error={problems.formIds ?? (templates.error ? messageOf(templates.error) : undefined)}
          hint={
            templates.data && sendable.length === 0
              ? 'No form is published yet. Publish one under Settings, Forms.'
              : `Sent with the booking. A form that a patient submitted in the last ${openDays} days is not sent again.`
          }
        >
          <MultiSelect
            listLabel="Chosen forms"
            placeholder="Add a form"
            {...picker(
              'formIds',
              sendable.map(({ id, title }) => ({ value: id, label: title.en })),
              (id) => templates.data?.find((one) => one.id === id)?.title.en ?? 'Form',
            )}
          />
        </Field>
      )}
      {before?.isOnline && values.isOnline && (
        <div className="grid items-start gap-x-3 gap-y-4 md:grid-cols-[1fr_2fr]">
          <Field label="Link for" className="pt-1">
            <Select
              value={linkFor}
              onValueChange={setLinkFor}
              noneLabel="Anyone"
              options={before.providerIds.map((id) => ({ value: id, label: nameOf(id) }))}
            />
          </Field>
          <CopyField
            label="Link to this visit"
            value={`${location.origin}/book?visit=${before.id}${linkFor === null ? '' : `&provider=${linkFor}`}`}
          >
            Opens the booking page with this visit chosen. Add &amp;source= and a name to see where bookings come from.
          </CopyField>
        </div>
      )}
      {before && (
        <CheckboxLine {...form.tick('isActive')} hint="Inactive visit types keep their appointments.">
          Active
        </CheckboxLine>
      )}
    </ActionDialog>
  )
}
