import { Mail, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { Facts, PanelSection } from '../ui/display/Facts.tsx'
import { formatPhone, formatPostalCode } from '../ui/format.ts'
import { None } from '../ui/display/Table.tsx'
import { addressLine, telephoneLink } from '../crm/contacts/web/embed/contact-text.ts'
import { DeclaredFacts, type PatientFacts } from './DeclaredFacts.tsx'
import { EditableFact } from './edit/EditableFact.tsx'

/** How a patient is reached. */
export function ContactSection(props: PatientFacts) {
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
          action={dial && <Reach href={dial} label="Call" icon={<Phone />} />}
          className="tabular-nums"
        >
          {phone ? formatPhone(phone) : <None />}
          <Others values={contact.otherPhones.map(formatPhone)} />
        </EditableFact>
        <EditableFact
          fact="email"
          label="Email"
          action={email && <Reach href={`mailto:${email}`} label="Write an email" icon={<Mail />} />}
        >
          {email ? <BeforeDomain email={email} /> : <None />}
          <Others values={contact.otherEmails} />
        </EditableFact>
        <EditableFact fact="address" label="Address">
          {address || <None />}
        </EditableFact>
        <DeclaredFacts section="contact" {...props} />
      </Facts>
    </PanelSection>
  )
}

/** Where it does not fit one line, it breaks before the domain rather than anywhere. */
function BeforeDomain({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return at < 0 ? (
    email
  ) : (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  )
}

/** Those besides the primary one. */
function Others({ values }: { values: readonly string[] }) {
  return values.map((value) => (
    <span key={value} className="block text-fg-2">
      <span className="sr-only">, also </span>
      <BeforeDomain email={value} />
    </span>
  ))
}

/** Dials or writes, beside a value that is edited by a click; a pointer sees it when it comes near. */
function Reach({ href, label, icon }: { href: string; label: string; icon: ReactNode }) {
  return (
    <a
      href={href}
      aria-label={label}
      title={label}
      className="relative flex size-5 flex-none items-center justify-center rounded-xs text-fg-3 touch-target hover:text-fg focus-visible:opacity-100 pointer-fine:opacity-0 pointer-fine:group-hover/fact:opacity-100 max-md:size-8 [&_svg]:size-3.5"
    >
      {icon}
    </a>
  )
}
