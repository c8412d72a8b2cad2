import { Fragment, type ReactNode } from 'react'
import { fieldOf } from '../../derived-fields.ts'
import { type FormFieldName, sectionsOfForm } from '../../form-fields.ts'
import { formSections } from '../../declared-fields.ts'
import type { Directory } from '../embed/directory.ts'
import { ConsultFields } from '../embed/form/ConsultFields.tsx'
import { ContactField } from '../embed/form/ContactField.tsx'
import type { ContactForm } from '../embed/form/useContactForm.ts'

interface SectionsProps {
  form: ContactForm
  directory: Directory
  /** The email field, which can show the patient who already has the email. */
  email: ReactNode
  /** Whether the user may see clinical notes. */
  clinical: boolean
  onResultsReceived: () => void
}

const wide = 'md:col-span-2'

/** The form sections with every field of a contact. */
export function FormSections({ form, directory, email, clinical, onResultsReceived }: SectionsProps) {
  const renderField = (name: FormFieldName) =>
    name === 'email' ? (
      <Fragment key={name}>{email}</Fragment>
    ) : (
      <ContactField
        key={name}
        form={form}
        directory={directory}
        name={name}
        className={fieldOf(name).width === 'both' ? wide : undefined}
      />
    )
  return sectionsOfForm({ clinical }).map(({ section, cells }) => (
    <Section key={section} title={formSections[section]}>
      {section === 'specialist' ? (
        <ConsultFields form={form} onResultsReceived={onResultsReceived} className={wide} />
      ) : (
        cells.map((cell) =>
          cell.length > 1 ? (
            <div key={cell.join()} className="grid grid-cols-2 gap-4">
              {cell.map(renderField)}
            </div>
          ) : (
            cell.map(renderField)
          ),
        )
      )}
    </Section>
  ))
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-x-8 gap-y-4 border-b border-line py-6 last:border-b-0 lg:grid-cols-(--form-columns)">
      <h2 className="text-md font-semibold text-fg">{title}</h2>
      <div className="grid content-start gap-x-4 gap-y-4 md:grid-cols-2">{children}</div>
    </section>
  )
}
