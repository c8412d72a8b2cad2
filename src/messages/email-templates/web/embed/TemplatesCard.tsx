import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ConsentChannel } from '../../../../crm/consent/rules.ts'
import { FileText, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { templateFailures } from '../../contract.ts'
import type { TemplateLine } from '../template-data.ts'
import { templateLanguage, templateNames, templateTitle, wordsOfKey } from '../../rules.ts'

const TemplateDialog = lazyDialog(
  () => import('../TemplateDialog.tsx'),
  ({ onClose }) => onClose(),
)

const cards = {
  email: {
    id: 'email-templates',
    title: 'Email templates',
    about:
      'Staff insert templates when they write an email. Welcome emails, appointment emails and payment reminders also use the templates with those names.',
    none: 'Save emails that you write often. The patient’s name and details are filled in when you use them.',
    add: 'New template',
  },
  text: {
    id: 'text-templates',
    title: 'Text templates',
    about:
      'For text messages that are sent automatically, without procedures and other clinical words. The French version has the same name with _fr at the end.',
    none: 'Save text messages that are sent often. The patient’s name and details are filled in when they are sent.',
    add: 'New text template',
  },
} as const

/** What emails and text messages are written from. */
export function TemplatesCards() {
  return (
    <>
      <TemplatesCard channel="email" />
      <TemplatesCard channel="text" />
    </>
  )
}

/** The templates of a channel by category; each opens in its editor. */
function TemplatesCard({ channel }: { channel: ConsentChannel }) {
  const card = cards[channel]
  const cache = useQueryClient()
  const may = usePermission()
  const templates = useQuery(orpc.emailTemplates.list.queryOptions({ input: { channel } }))
  const [open, setOpen] = useState<{ id: string | null } | null>(null)
  const opener = useRef<Element | null>(null)
  function begin(id: string | null) {
    opener.current = document.activeElement
    setOpen({ id })
  }
  // The dialog that was opened first stood only until the template was there: the last one does not know what had the focus.
  function end() {
    setOpen(null)
    setTimeout(() => opener.current instanceof HTMLElement && opener.current.focus())
  }
  useLive(['email-template'], () => void cache.invalidateQueries({ queryKey: orpc.emailTemplates.list.key() }))
  const mayEdit = may('emailTemplates.create')
  const add = mayEdit && (
    <Button icon={<Plus />} onPointerEnter={TemplateDialog.prepare} onClick={() => begin(null)}>
      {card.add}
    </Button>
  )
  return (
    <Section id={card.id} title={card.title} actions={templates.data && templates.data.length > 0 && add}>
      <Asked query={templates} failed={templateFailures.list}>
        {(list) =>
          list.length > 0 ? (
            <>
              <p className="max-w-[60ch] pt-3 text-sm text-fg-2">{card.about}</p>
              <Categories templates={list} onOpen={begin} />
            </>
          ) : (
            <EmptyState icon={<FileText />} title="No templates yet" actions={add || undefined}>
              {card.none}
            </EmptyState>
          )
        }
      </Asked>
      {open && <TemplateDialog key={open.id} id={open.id} channel={channel} onOpen={(id) => setOpen({ id })} onClose={end} />}
    </Section>
  )
}

/** Each French template below the English one that it belongs to. */
function inPairs(group: readonly TemplateLine[]): (TemplateLine & { english: TemplateLine | undefined })[] {
  const englishOf = (template: TemplateLine) =>
    templateLanguage(template.name) === 'fr'
      ? group.find(({ name }) => templateNames(name, 'fr')[0] === template.name.toLowerCase())
      : undefined
  const paired = group.map((template) => ({ ...template, english: englishOf(template) }))
  return paired
    .filter(({ english }) => !english)
    .flatMap((template) => [template, ...paired.filter(({ english }) => english?.id === template.id)])
}

function Categories({ templates, onOpen }: { templates: readonly TemplateLine[]; onOpen: (id: string) => void }) {
  const groups = [...Map.groupBy(templates, ({ category }) => wordsOfKey(category))].toSorted(([a], [b]) => a.localeCompare(b, 'en-CA'))
  return groups.map(([category, group]) => (
    <section key={category} aria-label={category} className="pt-4">
      <h3 className="pb-1 text-sm font-semibold text-fg-2">{category}</h3>
      <ul className="-mx-2">
        {inPairs(group).map(({ id, name, subject, beginning, english, isDefault }) => (
          <li key={id} className={cn(english && 'pl-6')}>
            <OpenRow onPointerEnter={TemplateDialog.prepare} onFocus={TemplateDialog.prepare} onClick={() => onOpen(id)}>
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="max-w-full truncate text-md font-medium text-fg">{templateTitle(name)}</span>
                <span className="max-w-full truncate text-sm text-fg-3">
                  {beginning ?? subject}
                  {templateTitle(name) !== name && <span className="font-mono text-xs max-md:hidden"> · {name}</span>}
                </span>
                {english && isDefault && !english.isDefault && (
                  <span className="text-sm text-warning-fg">The English version was changed. This one still has the default wording.</span>
                )}
              </span>
              {english && isDefault && !english.isDefault && <Badge tone="warning">Default wording</Badge>}
            </OpenRow>
          </li>
        ))}
      </ul>
    </section>
  ))
}
