import { Fragment, type ReactNode } from 'react'
import { fieldOf, type FormFieldName, formSections, sectionsOfForm } from '../../fields.ts'
import type { Directory } from '../embed/directory.ts'
import { ConsultFields } from '../embed/form/ConsultFields.tsx'
import { ContactField } from '../embed/form/ContactField.tsx'
import type { ContactForm } from '../embed/form/useContactForm.ts'

interface SectionsProps {
  form: ContactForm
  directory: Directory
  /** The email field, which knows of patients who have the address already. */
  email: ReactNode
  /** Whether the writer may see clinical notes. */
  clinical: boolean
  onResultsReceived: () => void
}

const wide = 'md:col-span-2'

/** Every field of a contact, in the order in which the clinic asks for them. */
export function FormSections({ form, directory, email, clinical, onResultsReceived }: SectionsProps) {
  const draw = (name: FormFieldName) =>
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
              {cell.map(draw)}
            </div>
          ) : (
            cell.map(draw)
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
