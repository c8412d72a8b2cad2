import { Avatar } from '../../../../../ui/display/Avatar.tsx'
import { useClock } from '../../../../../ui/client/session.ts'
import { today } from '../../../../../ui/format.ts'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { Select } from '../../../../../ui/controls/Select.tsx'
import type { Person } from '../../../../../platform/auth/people-contract.ts'
import { assignableStages } from '../../../../pipeline/rules.ts'
import { StageIcon } from '../../../../pipeline/web/embed/StageName.tsx'
import { contactFieldDeclarations } from '../../../fields.ts'
import { fieldLabels, fieldOf, type FieldOfKind, isOfKind } from '../../../derived-fields.ts'
import type { FormFieldName } from '../../../form-fields.ts'
import { assignableRoles } from '../../../rules.ts'
import { formerStaff } from '../contact-text.ts'
import type { Directory } from '../directory.ts'
import { DayField, LongTextField, MomentField, TextField, Tick, VocabularyField } from './controls.tsx'
import { DetailsField } from './DetailsField.tsx'
import { PointsField } from './PointsField.tsx'
import { statusOptions } from './status-options.ts'
import type { ContactForm } from './useContactForm.ts'

export interface ContactFieldProps {
  form: ContactForm
  name: FormFieldName
  directory: Directory
  className?: string
  /** Inline editing on the patient page: hides "optional", opens lists at once, and ends with a choice. */
  inPlace?: { onChosen: () => void }
}

/** The control of a field by its kind, in the form and on the patient page. */
export function ContactField({ form, name, directory, className, inPlace }: ContactFieldProps) {
  const { hint } = fieldOf(name)
  const field = { form, className, hint, unmarked: inPlace !== undefined }
  const onChosen = inPlace?.onChosen
  if (isOfKind(name, 'name')) return <TextField {...field} name={name} unmarked autoComplete="off" />
  if (isOfKind(name, 'text')) {
    const fixed = form.fixed?.[name]
    return <TextField {...field} hint={fixed ?? hint} name={name} readOnly={fixed !== undefined} autoComplete="off" />
  }
  if (isOfKind(name, 'long-text')) return <LongTextField {...field} name={name} />
  if (isOfKind(name, 'email')) return <TextField {...field} name={name} type="email" inputMode="email" autoComplete="off" />
  if (isOfKind(name, 'phone')) return <TextField {...field} name={name} type="tel" inputMode="tel" autoComplete="off" />
  if (isOfKind(name, 'emails', 'phones')) return <PointsField form={form} name={name} className={className} />
  if (isOfKind(name, 'amount')) return <TextField {...field} name={name} leading="$" inputMode="decimal" autoComplete="off" />
  if (isOfKind(name, 'choice')) return <OptionsField {...field} name={name} onChosen={onChosen} />
  if (isOfKind(name, 'moment', 'day')) return <DayOrMoment {...field} name={name} />
  if (isOfKind(name, 'tick')) return <Tick {...field} name={name} />
  if (isOfKind(name, 'vocabulary')) return <VocabularyField {...field} name={name} directory={directory} onChosen={onChosen} />
  if (isOfKind(name, 'staff')) return <StaffField {...field} name={name} people={directory.people} onChosen={onChosen} />
  if (isOfKind(name, 'stage')) return <StageField {...field} directory={directory} />
  if (isOfKind(name, 'status')) return <StatusField {...field} onChosen={onChosen} />
  return <DetailsField {...field} />
}

interface DayProps {
  form: ContactForm
  name: FieldOfKind<'day' | 'moment'>
  hint?: string
  className?: string
  unmarked?: boolean
}

/** A date, with its time of day if the field has one. */
function DayOrMoment({ name, ...field }: DayProps) {
  const clock = useClock()
  const { control } = contactFieldDeclarations[name]
  if ('time' in control) return <MomentField {...field} name={name} time={control.time} />
  return <DayField {...field} name={name} max={'until' in control ? today(clock) : undefined} />
}

interface ChoiceProps {
  form: ContactForm
  className?: string
  unmarked?: boolean
  onChosen?: () => void
}

function StatusField({ form, className, onChosen }: ChoiceProps) {
  const value = form.values.status
  return (
    <Field error={form.problems.status} label={fieldLabels.status} className={className}>
      <Select
        value={value}
        onValueChange={(next) => {
          form.set({ status: next ?? '' })
          onChosen?.()
        }}
        options={statusOptions(value)}
        defaultOpen={onChosen !== undefined}
      />
    </Field>
  )
}

function StageField({ form, className, directory: { stages } }: ChoiceProps & { directory: Directory }) {
  const value = form.values.funnelStage
  const first = stages.find(({ isInitial }) => isInitial)?.id ?? null
  return (
    <Field error={form.problems.funnelStage} label={fieldLabels.funnelStage} className={className}>
      <Select
        value={value || first}
        onValueChange={(next) => form.set({ funnelStage: next ?? '' })}
        options={assignableStages(stages, value).map((stage) => ({
          value: stage.id,
          label: stage.name,
          icon: <StageIcon stages={stages} stage={stage} />,
        }))}
      />
    </Field>
  )
}

interface StaffFieldProps extends ChoiceProps {
  name: FieldOfKind<'staff'>
  people: readonly Person[]
}

/** One of the declared options; a stored value that is no longer offered stays until it is changed. */
function OptionsField({ form, name, className, unmarked, onChosen }: ChoiceProps & { name: FieldOfKind<'choice'> }) {
  const value = form.values[name]
  const { label, control: declared } = fieldOf(name)
  const options = declared.kind === 'choice' ? Object.entries(declared.options).map(([value, label]) => ({ value, label })) : []
  return (
    <Field error={form.problems[name]} label={label} optional={!unmarked} className={className}>
      <Select
        value={value || null}
        onValueChange={(next) => {
          form.set({ [name]: next ?? '' })
          onChosen?.()
        }}
        options={value === '' || options.some((option) => option.value === value) ? options : [...options, { value, label: value }]}
        noneLabel="None"
        defaultOpen={onChosen !== undefined}
      />
    </Field>
  )
}

/** Staff with a role that the field allows, and the current selection. */
function StaffField({ form, name, people, className, unmarked, onChosen }: StaffFieldProps) {
  const value = form.values[name]
  const roles: readonly Person['role'][] = assignableRoles[name]
  const shown = people.filter(({ id, role }) => roles.includes(role) || id === value)
  const options = shown.map((person) => ({ value: person.id, label: person.fullName, icon: <StaffAvatar person={person} /> }))
  // Former staff stay selected until someone else is chosen.
  const isGone = value !== '' && people.length > 0 && !people.some(({ id }) => id === value)
  return (
    <Field error={form.problems[name]} label={fieldLabels[name]} optional={!unmarked} className={className}>
      <Select
        value={value || null}
        onValueChange={(next) => {
          form.set({ [name]: next ?? '' })
          onChosen?.()
        }}
        options={isGone ? [...options, { value, label: formerStaff }] : options}
        noneLabel={contactFieldDeclarations[name].control.none}
        defaultOpen={onChosen !== undefined}
      />
    </Field>
  )
}

function StaffAvatar({ person }: { person: Person }) {
  return <Avatar kind="staff" size="xs" id={person.id} firstName={person.firstName} lastName={person.lastName} />
}
