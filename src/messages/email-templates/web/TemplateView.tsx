import { useState } from 'react'
import { Dialog, DialogBody } from '../../../ui/overlays/Dialog.tsx'
import { draftOf } from './draft.ts'
import { Preview } from './Preview.tsx'
import type { TemplateData } from './template-data.ts'
import { templateTitle, wordsOfKey } from '../rules.ts'

/** For anyone who may read templates and not write them. */
export function TemplateView({ template, onClose }: { template: TemplateData; onClose: () => void }) {
  const [draft] = useState(() => draftOf(template))
  return (
    <Dialog onClose={onClose} title={templateTitle(template.name)} head={{ aside: wordsOfKey(template.category) }} size="lg">
      <DialogBody>
        <Preview draft={draft} />
      </DialogBody>
    </Dialog>
  )
}
