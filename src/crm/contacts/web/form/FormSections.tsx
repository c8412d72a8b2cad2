import type { ReactNode } from 'react'
import type { Directory } from '../embed/directory.ts'
import { ConsultFields } from '../embed/form/ConsultFields.tsx'
import { ContactField } from '../embed/form/ContactField.tsx'
import type { FormControl } from '../embed/form/controls.tsx'

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
  const field = { control, directory }
  return (
    <>
      <Section title="Contact">
        <ContactField {...field} name="firstName" />
        <ContactField {...field} name="lastName" />
        {email}
        <ContactField {...field} name="phone" />
        <ContactField {...field} name="otherEmails" />
        <ContactField {...field} name="otherPhones" />
        <ContactField {...field} name="address" className={wide} />
        <ContactField {...field} name="city" />
        <div className="grid grid-cols-2 gap-4">
          <ContactField {...field} name="state" />
          <ContactField {...field} name="zipCode" />
        </div>
        <ContactField {...field} name="company" />
        <ContactField {...field} name="title" />
      </Section>

      <Section title="Care">
        <ContactField {...field} name="procedureOfInterest" />
        <ContactField {...field} name="assignedProviderId" />
        {clinical && <ContactField {...field} name="weightLossMedication" className={wide} />}
        {clinical && <ContactField {...field} name="notes" className={wide} />}
      </Section>

      <Section title="Pipeline">
        <ContactField {...field} name="funnelStage" />
        <ContactField {...field} name="assignedSalesRepId" />
        <ContactField {...field} name="leadSource" />
        <ContactField {...field} name="status" />
        <ContactField {...field} name="importSource" className={wide} />
      </Section>

      <Section title="Follow-up and consent">
        <ContactField {...field} name="nextFollowUpDate" />
        <ContactField {...field} name="lastContactDate" />
        <ContactField {...field} name="consentToCommunicate" className={wide} />
      </Section>

      <Section title="Appointment and surgery">
        <ContactField {...field} name="appointmentDate" />
        <ContactField {...field} name="appointmentLocation" />
        <ContactField {...field} name="surgicalDate" />
        <ContactField {...field} name="revenueCents" />
      </Section>

      {clinical && (
        <Section title="Specialist consult">
          <ConsultFields control={control} onResultsReceived={onResultsReceived} className={wide} />
        </Section>
      )}

      {clinical && (
        <Section title="Other">
          <ContactField {...field} name="metadata" className={wide} />
        </Section>
      )}
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
