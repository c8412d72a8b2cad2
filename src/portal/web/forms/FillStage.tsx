import { Check, CloudOff, Lock } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { FormSections } from '../../../chart/forms/web/embed/FormSections.tsx'
import { formTexts } from '../../../chart/forms/web/embed/texts.ts'
import { sectionToContinue } from '../../../chart/forms/rules.ts'
import type { Language } from '../../../shared/translations.ts'
import { codeOf } from '../calls.ts'
import { documentTexts, problemOf } from '../documents/texts.ts'
import type { FormData } from './form-calls.ts'
import type { FormSaver, Saving } from './form-saver.ts'

interface FillStageProps {
  form: FormData
  language: Language
  saver: FormSaver
  /** Null: where the patient stopped. */
  sectionId: string | null
  onSection: (sectionId: string) => void
  /** Sends a file, and returns the id of the document. */
  onUpload: (file: File) => Promise<string>
  /** Who can read the answers, and when the session ends. */
  trust: string
}

/** Filling in: the sections, and whether the answers are saved. */
export default function FillStage({ form, language, saver, sectionId, onSection, onUpload, trust }: FillStageProps) {
  const t = formTexts[language]
  const saving = useSyncExternalStore(saver.subscribe, saver.read)
  const [names, setNames] = useState(() => new Map(form.files.map((file) => [file.id, file])))
  const [sectionAtFirst] = useState(() =>
    Object.keys(saving.answers).length === 0 ? null : sectionToContinue(form.definition, saving.answers, form.today, names),
  )
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  async function upload(file: File) {
    try {
      const id = await onUpload(file)
      saver.touch()
      setNames((known) =>
        new Map(known).set(id, { id, name: file.name, isPicture: file.type.startsWith('image/') || /[.]hei[cf]$/i.test(file.name) }),
      )
      return { id }
    } catch (error) {
      return { problem: documentTexts[language](`problems.${problemOf(codeOf(error))}`) }
    }
  }
  return (
    <>
      <h1 ref={title} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        {form.definition.title[language]}
      </h1>
      <p className="flex max-w-160 gap-3 pt-3 pb-6 text-title leading-relaxed text-fg-2">
        <Lock aria-hidden="true" className="mt-0.5 size-4.5! text-accent-fg" />
        {trust}
      </p>
      {saving.wasChangedElsewhere && (
        <p role="status" className="mb-5 rounded-lg bg-info-soft p-4 text-title">
          {t('changedElsewhere')}
        </p>
      )}
      <FormSections
        definition={form.definition}
        answers={saving.answers}
        onAnswer={(questionId, value) => saver.change(questionId, value)}
        language={language}
        today={form.today}
        sectionId={sectionId ?? sectionAtFirst}
        onSection={(id) => {
          onSection(id)
          void saver.flush()
        }}
        files={{ names, upload }}
        serverProblems={saving.problems}
        saveState={Object.keys(saving.answers).length > 0 && <SaveLine state={saving.state} t={t} />}
        onSubmit={() => void saver.submit()}
        isSubmitting={saving.isSubmitting}
        submitError={saving.hasFailedToSubmit ? t('submitOffline') : null}
      />
    </>
  )
}

function SaveLine({ state, t }: { state: Saving['state']; t: (typeof formTexts)[Language] }) {
  return (
    <p role="status" className="flex min-h-6 items-start gap-2.5 text-title text-fg-2">
      {state === 'unsaved' ? (
        <>
          <CloudOff aria-hidden="true" className="mt-0.5 size-4.5! flex-none text-warning-fg" />
          {t('unsaved')}
        </>
      ) : state === 'saving' ? (
        t('saving')
      ) : (
        <>
          <Check aria-hidden="true" className="mt-0.5 size-4.5! flex-none text-success-fg" />
          {t('saved')}
        </>
      )}
    </p>
  )
}
