import type { ReactNode } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { Avatar } from '../../../../web/ui/Avatar.tsx'
import { CheckboxLine } from '../../../../web/ui/Checkbox.tsx'
import { FormField } from '../../../../web/ui/Form.tsx'
import { Select } from '../../../../web/ui/Select.tsx'
import type { Person } from '../../../auth/contract.ts'
import { StageIcon } from '../../../pipeline/web/embed/StageName.tsx'
import { assignableRoles, fieldLabels } from '../../rules.ts'
import type { Directory } from '../embed/directory.ts'
import { DayField, type FormControl, LongTextField, MomentField, TextField, VocabularyField } from './controls.tsx'
import { DetailsField } from './DetailsField.tsx'
import { statusOptions } from './status-options.ts'

interface SectionsProps {
  control: FormControl
  directory: Directory
  /** The email field, which knows of patients who have the address already. */
  email: ReactNode
  /** Whether the writer may see clinical notes. */
  clinical: boolean
  onResultsReceived: () => void
}

const wide = 'md:col-span-2'

/** Every field of a contact, in the order in which the clinic asks for them. */
export function FormSections({ control, directory, email, clinical, onResultsReceived }: SectionsProps) {
  return (
    <>
      <Section title="Contact">
        <TextField control={control} name="firstName" required autoComplete="off" />
        <TextField control={control} name="lastName" required autoComplete="off" />
        {email}
        <TextField control={control} name="phone" type="tel" inputMode="tel" autoComplete="off" hint="Add an extension after an x." />
        <TextField control={control} name="address" className={wide} autoComplete="off" />
        <TextField control={control} name="city" autoComplete="off" />
        <div className="grid grid-cols-2 gap-4">
          <TextField control={control} name="state" autoComplete="off" />
          <TextField control={control} name="zipCode" autoComplete="off" />
        </div>
        <TextField control={control} name="company" autoComplete="off" />
        <TextField control={control} name="title" autoComplete="off" />
      </Section>

      <Section title="Care">
        <VocabularyField control={control} name="procedureOfInterest" entries={directory.procedures} />
        <StaffField control={control} name="assignedProviderId" people={directory.people} noneLabel="None" />
        {clinical && <TextField control={control} name="weightLossMedication" className={wide} />}
        {clinical && <LongTextField control={control} name="notes" className={wide} />}
      </Section>

      <Section title="Pipeline">
        <StageField control={control} directory={directory} />
        <StaffField control={control} name="assignedSalesRepId" people={directory.people} noneLabel="Unassigned" />
        <VocabularyField control={control} name="leadSource" entries={directory.sources} />
        <FormField control={control} name="status" label={fieldLabels.status}>
          {({ value, onChange, onBlur, ref }) => (
            <Select value={value} onValueChange={(next) => onChange(next ?? '')} options={statusOptions(value)} onBlur={onBlur} ref={ref} />
          )}
        </FormField>
        <TextField control={control} name="importSource" className={wide} />
      </Section>

      <Section title="Follow-up and consent">
        <MomentField control={control} name="nextFollowUpDate" time="nextFollowUpTime" hint="9:00 a.m. unless a time is given." />
        <MomentField control={control} name="lastContactDate" time="lastContactTime" />
        <Tick control={control} name="consentToCommunicate" className={wide}>
          May be contacted by email and text
        </Tick>
      </Section>

      <Section title="Appointment and surgery">
        <MomentField control={control} name="appointmentDate" time="appointmentTime" />
        <TextField control={control} name="appointmentLocation" />
        <DayField control={control} name="surgicalDate" />
        <TextField control={control} name="revenueCents" leading="$" inputMode="decimal" autoComplete="off" />
      </Section>

      {clinical && (
        <Section title="Specialist consult">
          <Tick control={control} name="requiresSpecialistConsult" className={wide}>
            A specialist consult is required
          </Tick>
          <ConsultFields control={control} onResultsReceived={onResultsReceived} />
        </Section>
      )}

      <Section title="Other">
        <DetailsField control={control} className={wide} />
      </Section>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-x-8 gap-y-4 border-b border-line py-6 last:border-b-0 lg:grid-cols-(--form-columns)">
      <h2 className="text-md font-semibold text-fg">{title}</h2>
      <div className="grid content-start gap-x-4 gap-y-4 md:grid-cols-2">{children}</div>
    </section>
  )
}

interface TickProps {
  control: FormControl
  name: 'consentToCommunicate' | 'requiresSpecialistConsult' | 'specialistResultsReceived'
  className?: string
  onTicked?: () => void
  children: ReactNode
}

function Tick({ control, name, className, onTicked, children }: TickProps) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, onBlur, ref } }) => (
        <CheckboxLine
          checked={value}
          onCheckedChange={(checked) => {
            onChange(checked)
            if (checked) onTicked?.()
          }}
          onBlur={onBlur}
          ref={ref}
          className={className}
        >
          {children}
        </CheckboxLine>
      )}
    />
  )
}

/** Asked only when a consult is required. Unticking keeps what was typed here until the form is saved. */
function ConsultFields({ control, onResultsReceived }: { control: FormControl; onResultsReceived: () => void }) {
  const [isRequired, hasResults] = useWatch({ control, name: ['requiresSpecialistConsult', 'specialistResultsReceived'] })
  if (!isRequired) return null
  return (
    <>
      <TextField control={control} name="specialistConsultType" label="Type" required className={wide} />
      <LongTextField control={control} name="specialistConsultReason" label="Reason" required className={wide} />
      <Tick control={control} name="specialistResultsReceived" onTicked={onResultsReceived} className={wide}>
        The results have been received
      </Tick>
      {hasResults && <DayField control={control} name="specialistResultsDate" label="Received on" className={wide} />}
      <LongTextField control={control} name="specialistNotes" className={wide} />
    </>
  )
}

function StageField({ control, directory: { stages } }: { control: FormControl; directory: Directory }) {
  const first = stages.find(({ isInitial }) => isInitial)?.id ?? null
  return (
    <FormField control={control} name="funnelStage" label={fieldLabels.funnelStage}>
      {({ value, onChange, onBlur, ref }) => (
        <Select
          value={value || first}
          onValueChange={(next) => onChange(next ?? '')}
          options={stages.map((stage) => ({ value: stage.id, label: stage.name, icon: <StageIcon stages={stages} stage={stage} /> }))}
          onBlur={onBlur}
          ref={ref}
        />
      )}
    </FormField>
  )
}

interface StaffFieldProps {
  control: FormControl
  name: 'assignedSalesRepId' | 'assignedProviderId'
  people: readonly Person[]
  noneLabel: string
}

/** Those whose role the field is for; whoever is chosen already stays in the list. */
function StaffField({ control, name, people, noneLabel }: StaffFieldProps) {
  const roles: readonly Person['role'][] = assignableRoles[name]
  return (
    <FormField control={control} name={name} label={fieldLabels[name]} optional>
      {({ value, onChange, onBlur, ref }) => {
        const shown = people.filter(({ id, role }) => roles.includes(role) || id === value)
        const options = shown.map((person) => ({ value: person.id, label: person.fullName, icon: <StaffAvatar person={person} /> }))
        // Somebody who has left is still the owner until another one is chosen.
        const isGone = value !== '' && people.length > 0 && !people.some(({ id }) => id === value)
        return (
          <Select
            value={value || null}
            onValueChange={(next) => onChange(next ?? '')}
            options={isGone ? [...options, { value, label: 'Former staff' }] : options}
            noneLabel={noneLabel}
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
