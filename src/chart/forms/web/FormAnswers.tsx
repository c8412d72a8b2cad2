import { Disclosure } from '../../../ui/display/Disclosure.tsx'
import { isAnswered, visibleSections } from '../rules.ts'
import { AnswerValue } from './AnswerValue.tsx'
import type { SubmittedFormData } from './form-data.ts'

/** The answers of a submitted form by section. What was left blank is one line that opens. */
export function FormAnswers({ form: { definition, answers, files } }: { form: SubmittedFormData }) {
  return visibleSections(definition, answers).map(({ section, questions }) => {
    const blank = questions.filter(({ id }) => !isAnswered(answers[id]))
    return (
      <section key={section.id} aria-label={section.title.en}>
        <h3 className="border-b border-line pb-2 text-title font-semibold">{section.title.en}</h3>
        <dl className="flex flex-col gap-3 pt-3">
          {questions
            .filter((question) => !blank.includes(question))
            .map((question) => (
              <div key={question.id} className="text-sm">
                <dt className="text-fg-3">{question.label.en}</dt>
                <dd className="pt-0.5 wrap-anywhere whitespace-pre-wrap text-fg">
                  <AnswerValue question={question} value={answers[question.id]} files={files} />
                </dd>
              </div>
            ))}
        </dl>
        {blank.length > 0 && (
          <Disclosure summary={blank.length === 1 ? '1 question not answered' : `${blank.length} questions not answered`}>
            <ul className="flex flex-col gap-1 pt-0.5 pb-1 pl-5.5 text-fg-3">
              {blank.map(({ id, label }) => (
                <li key={id} className="wrap-anywhere">
                  {label.en}
                </li>
              ))}
            </ul>
          </Disclosure>
        )}
      </section>
    )
  })
}
