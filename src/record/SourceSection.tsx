import { Fact, Facts, PanelSection } from '../ui/display/Facts.tsx'
import { formatDateTime } from '../ui/format.ts'
import { None } from '../ui/display/Table.tsx'
import { sourceName, extraSourceText } from '../crm/contacts/web/embed/contact-text.ts'
import type { ContactData } from '../crm/contacts/web/embed/contact-data.ts'
import { ReferralFacts } from '../crm/referrals/web/embed/ReferralFacts.tsx'
import { attributionFacts } from './attribution-facts.ts'
import { DeclaredFacts, type PatientFacts } from './DeclaredFacts.tsx'
import { EditableFact } from './edit/EditableFact.tsx'

type Attribution = NonNullable<ContactData['firstAttribution']>

/** The patient's original source and the latest one. */
export function SourceSection(props: PatientFacts) {
  const { contact, directory, clock } = props
  const { firstAttribution: first, latestAttribution: latest } = contact
  const source = sourceName(contact, directory)
  const originalValue = extraSourceText(source, contact.leadSourceText)
  return (
    <PanelSection title="Source">
      <Facts>
        <EditableFact fact="source" label="Original source">
          {source}
        </EditableFact>
        {originalValue && <Fact label="Original value">{originalValue}</Fact>}
        {first && <AttributionRows attribution={first} />}
        {latest && latest.at !== first?.at && (
          <>
            <Fact label="Latest">
              {latest.source ?? <None />}
              <span className="block text-xs text-fg-3">{formatDateTime(latest.at, clock)}</span>
            </Fact>
            <AttributionRows attribution={latest} />
          </>
        )}
        <DeclaredFacts section="source" {...props} />
        <ReferralFacts contactId={contact.id} referredBy={contact.referredBy} />
      </Facts>
    </PanelSection>
  )
}

function AttributionRows({ attribution }: { attribution: Attribution }) {
  return attributionFacts(attribution).map(({ label, text, title }) => (
    <Fact key={label} label={label}>
      <span title={title}>{text}</span>
    </Fact>
  ))
}
