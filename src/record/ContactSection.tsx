import { Mail, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { BreakableEmail } from '../ui/display/BreakableEmail.tsx'
import { Facts, PanelSection } from '../ui/display/Facts.tsx'
import { formatPhone, formatPostalCode } from '../ui/format.ts'
import { None } from '../ui/display/Table.tsx'
import { addressLine, telephoneLink } from '../crm/contacts/web/embed/contact-text.ts'
import { DeclaredFacts, type PatientFacts } from './DeclaredFacts.tsx'
import { EditableFact } from './edit/EditableFact.tsx'

/** The patient's phone, email and address. */
export function ContactSection({ onCall, ...props }: PatientFacts & { onCall: () => void }) {
  const { contact } = props
  const { phone, email } = contact
  const address = addressLine({ ...contact, zipCode: contact.zipCode && formatPostalCode(contact.zipCode) })
  const dial = telephoneLink(phone)
  return (
    <PanelSection title="Contact">
      <Facts>
        <EditableFact
          fact="phone"
          label="Phone"
          action={dial && <ContactLink href={dial} label="Call" icon={<Phone />} onClick={onCall} />}
          className="tabular-nums"
        >
          {phone ? formatPhone(phone) : <None />}
          <AdditionalValues values={contact.otherPhones.map(formatPhone)} />
        </EditableFact>
        <EditableFact
          fact="email"
          label="Email"
          action={email && <ContactLink href={`mailto:${email}`} label="Send email" icon={<Mail />} />}
        >
          {email ? <BreakableEmail email={email} /> : <None />}
          <AdditionalValues values={contact.otherEmails} />
        </EditableFact>
        <EditableFact fact="address" label="Address">
          {address || <None />}
        </EditableFact>
        <DeclaredFacts section="contact" {...props} />
      </Facts>
    </PanelSection>
  )
}

/** Emails or phones other than the primary one. */
function AdditionalValues({ values }: { values: readonly string[] }) {
  return values.map((value) => (
    <span key={value} className="block text-fg-2">
      <span className="sr-only">, also </span>
      <BreakableEmail email={value} />
    </span>
  ))
}

interface ContactLinkProps {
  href: string
  label: string
  icon: ReactNode
  onClick?: () => void
}

/** A call or email link next to an editable value; shown on hover for mouse users. */
export function ContactLink({ href, label, icon, onClick }: ContactLinkProps) {
  return (
    <a
      href={href}
      onClick={onClick}
      aria-label={label}
      title={label}
      className="relative flex size-5 flex-none items-center justify-center rounded-xs text-fg-3 touch-target hover:text-fg focus-visible:opacity-100 pointer-fine:opacity-0 pointer-fine:group-hover/fact:opacity-100 max-md:size-8 [&_svg]:size-3.5"
    >
      {icon}
    </a>
  )
}
