import { Fact, Facts, PanelSection } from '../ui/Facts.tsx'
import { type Clock, formatDateTime } from '../ui/format.ts'
import { None } from '../ui/Table.tsx'
import { sourceName, wordsBeside } from '../crm/contacts/web/embed/contact-text.ts'
import type { ContactData } from '../crm/contacts/web/embed/contact-data.ts'
import type { Directory } from '../crm/contacts/web/embed/directory.ts'
import { attributionFacts } from './attribution-facts.ts'
import { EditableFact } from './edit/EditableFact.tsx'

type Attribution = NonNullable<ContactData['firstAttribution']>

interface SourceSectionProps {
  contact: ContactData
  directory: Directory
  clock: Clock
}

/** Where a patient came from at first, as far as it is known, and the last time. */
export function SourceSection({ contact, directory, clock }: SourceSectionProps) {
  const { firstAttribution: first, latestAttribution: latest } = contact
  const source = sourceName(contact, directory)
  const ownWords = wordsBeside(source, contact.leadSourceText)
  return (
    <PanelSection title="Source">
      <Facts>
        <EditableFact fact="source" label="First">
          {source}
        </EditableFact>
        {ownWords && <Fact label="Original value">{ownWords}</Fact>}
        {first && <Said attribution={first} />}
        {latest && latest.at !== first?.at && (
          <>
            <Fact label="Latest">
              {latest.source ?? <None />}
              <span className="block text-xs text-fg-3">{formatDateTime(latest.at, clock)}</span>
            </Fact>
            <Said attribution={latest} />
          </>
        )}
        <EditableFact fact="importSource" label="Created via">
          {contact.importSource ?? <None />}
        </EditableFact>
      </Facts>
    </PanelSection>
  )
}

function Said({ attribution }: { attribution: Attribution }) {
  return attributionFacts(attribution).map(({ label, text, title }) => (
    <Fact key={label} label={label}>
      <span title={title}>{text}</span>
    </Fact>
  ))
}
