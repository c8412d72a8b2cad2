import type { Directory } from '../../../../crm/contacts/web/embed/directory.ts'
import type { Clock } from '../../../../ui/format.ts'
import type { ConversationData } from '../inbox-data.ts'
import { PatientPanel } from '../../../../crm/contacts/web/embed/PatientPanel.tsx'
import { UnknownSender } from './UnknownSender.tsx'

interface PersonPanelProps {
  conversation: ConversationData
  directory: Directory
  clock: Clock
}

/** Who writes. */
export function PersonPanel({ conversation, directory, clock }: PersonPanelProps) {
  return conversation.contact ? (
    <PatientPanel key={conversation.contact.id} contact={conversation.contact} directory={directory} clock={clock} />
  ) : (
    <UnknownSender conversation={conversation} />
  )
}
