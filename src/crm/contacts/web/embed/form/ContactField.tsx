import { Avatar } from '../../../../../ui/Avatar.tsx'
import { FormField } from '../../../../../ui/Form.tsx'
import { Select } from '../../../../../ui/Select.tsx'
import type { Person } from '../../../../../platform/auth/people-contract.ts'
import { offered } from '../../../../pipeline/rules.ts'
import { StageIcon } from '../../../../pipeline/web/embed/StageName.tsx'
import { assignableRoles, fieldLabels } from '../../../rules.ts'
import { formerStaff } from '../contact-text.ts'
import type { Directory } from '../directory.ts'
import { DayField, type FormControl, LongTextField, MomentField, TextField, Tick, VocabularyField } from './controls.tsx'
import { DetailsField } from './DetailsField.tsx'
import type { ContactFields } from './form-values.ts'
import { PointsField } from './PointsField.tsx'
import { statusOptions } from './status-options.ts'

/** A field of the form. A time of day belongs to its day, the specialist's fields to one another: see ConsultFields. */
export type FieldName = Exclude<
  keyof ContactFields,
  | 'appointmentTime'
  | 'requiresSpecialistConsult'
  | 'specialistConsultType'
  | 'specialistConsultReason'
  | 'specialistResultsReceived'
  | 'specialistResultsDate'
>

export interface ContactFieldProps {
  control: FormControl
  name: FieldName
  directory: Directory
  className?: string
  /** In place of a value on the patient's page: nothing says "optional" there, a list stands open, and a choice is the end of it. */
  inPlace?: { onChosen: () => void }
}

/** The control of each field, the same in the form and on the patient's page. */
export function ContactField({ control, name, directory, className, inPlace }: ContactFieldProps) {
  const field = { control, className, unmarked: inPlace !== undefined }
  switch (name) {
    case 'firstName':
    case 'lastName':
      return <TextField {...field} name={name} unmarked autoComplete="off" />
    case 'email':
      return <TextField {...field} name={name} type="email" inputMode="email" autoComplete="off" />
    case 'phone':
      return <TextField {...field} name={name} type="tel" inputMode="tel" autoComplete="off" hint="Add an extension after an x." />
    case 'otherEmails':
    case 'otherPhones':
      return <PointsField control={control} name={name} className={className} />
    case 'revenueCents':
      return <TextField {...field} name={name} leading="$" inputMode="decimal" autoComplete="off" />
    case 'address':
    case 'city':
    case 'state':
    case 'zipCode':
    case 'company':
    case 'title':
    case 'weightLossMedication':
    case 'importSource':
    case 'appointmentLocation':
      return <TextField {...field} name={name} autoComplete="off" />
    case 'notes':
    case 'specialistNotes':
      return <LongTextField {...field} name={name} />
    case 'surgicalDate':
      return <DayField {...field} name={name} />
    case 'nextFollowUpDate':
      return <MomentField {...field} name={name} time="nextFollowUpTime" hint="9:00 a.m. unless a time is given." />
    case 'lastContactDate':
      return <MomentField {...field} name={name} time="lastContactTime" />
    case 'appointmentDate':
      return <MomentField {...field} name={name} time="appointmentTime" />
    case 'consentToCommunicate':
      return (
        <Tick {...field} name={name}>
          May be contacted by email and text
        </Tick>
      )
    case 'procedureOfInterest':
      return <VocabularyField {...field} name={name} entries={directory.procedures} onChosen={inPlace?.onChosen} />
    case 'leadSource':
      return <VocabularyField {...field} name={name} entries={directory.sources} onChosen={inPlace?.onChosen} />
    case 'assignedProviderId':
      return <StaffField {...field} name={name} people={directory.people} noneLabel="None" onChosen={inPlace?.onChosen} />
    case 'assignedSalesRepId':
      return <StaffField {...field} name={name} people={directory.people} noneLabel="Unassigned" onChosen={inPlace?.onChosen} />
    case 'funnelStage':
      return <StageField {...field} directory={directory} />
    case 'status':
      return <StatusField {...field} onChosen={inPlace?.onChosen} />
    case 'metadata':
      return <DetailsField {...field} />
  }
}

interface ChoiceProps {
  control: FormControl
  className?: string
  unmarked?: boolean
  onChosen?: () => void
}

function StatusField({ control, className, onChosen }: ChoiceProps) {
  return (
    <FormField control={control} name="status" label={fieldLabels.status} className={className}>
      {({ value, onChange, onBlur, ref }) => (
        <Select
          value={value}
          onValueChange={(next) => {
            onChange(next ?? '')
            onChosen?.()
          }}
          options={statusOptions(value)}
          defaultOpen={onChosen !== undefined}
          onBlur={onBlur}
          ref={ref}
        />
      )}
    </FormField>
  )
}

function StageField({ control, className, directory: { stages } }: ChoiceProps & { directory: Directory }) {
  const first = stages.find(({ isInitial }) => isInitial)?.id ?? null
  return (
    <FormField control={control} name="funnelStage" label={fieldLabels.funnelStage} className={className}>
      {({ value, onChange, onBlur, ref }) => (
        <Select
          value={value || first}
          onValueChange={(next) => onChange(next ?? '')}
          options={offered(stages, value).map((stage) => ({
            value: stage.id,
            label: stage.name,
            icon: <StageIcon stages={stages} stage={stage} />,
          }))}
          onBlur={onBlur}
          ref={ref}
        />
      )}
    </FormField>
  )
}

interface StaffFieldProps extends ChoiceProps {
  name: 'assignedSalesRepId' | 'assignedProviderId'
  people: readonly Person[]
  noneLabel: string
}

/** Those whose role the field is for; anyone who is chosen already stays in the list. */
function StaffField({ control, name, people, noneLabel, className, unmarked, onChosen }: StaffFieldProps) {
  const roles: readonly Person['role'][] = assignableRoles[name]
  return (
    <FormField control={control} name={name} label={fieldLabels[name]} optional={!unmarked} className={className}>
      {({ value, onChange, onBlur, ref }) => {
        const shown = people.filter(({ id, role }) => roles.includes(role) || id === value)
        const options = shown.map((person) => ({ value: person.id, label: person.fullName, icon: <StaffAvatar person={person} /> }))
        // Someone who has left is still the owner until another one is chosen.
        const isGone = value !== '' && people.length > 0 && !people.some(({ id }) => id === value)
        return (
          <Select
            value={value || null}
            onValueChange={(next) => {
              onChange(next ?? '')
              onChosen?.()
            }}
            options={isGone ? [...options, { value, label: formerStaff }] : options}
            noneLabel={noneLabel}
            defaultOpen={onChosen !== undefined}
            onBlur={onBlur}
            ref={ref}
          />
        )
      }}
    </FormField>
  )
}

function StaffAvatar({ person }: { person: Person }) {
  return <Avatar kind="staff" size="xs" id={person.id} firstName={person.firstName} lastName={person.lastName} />
}
