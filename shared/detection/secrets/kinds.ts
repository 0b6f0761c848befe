import type { Reach } from '../reach.ts';
import { longestOf } from './form.ts';

/**
 * Kinds of keys that are recognized by their form alone. `form` is literal text with holes: `{A36}` 36 of a set,
 * `{W20-80}` a range. Sets: A letters and digits, L lowercase letters and digits, U uppercase letters and digits, D
 * digits, H lowercase hex, X any hex, C letters, W A and `_-`, B base64, V W and dots, I base64 of digits. The tests
 * generate samples from the forms, so this file contains no key-like text.
 */
export interface SecretKind {
  readonly id: string;
  readonly name: string;
  readonly form: string;
  /** From the first character of the key on. */
  readonly reach: Reach;
}

const TABLE = `
aws-access-key | AWS access key id | AKIA{U16}
aws-temporary-key | AWS temporary access key id | ASIA{U16}
aws-session | AWS session token | IQoJb3JpZ2luX2Vj{B80-2000}
aws-session-old | AWS session token | FwoGZXIvYXdz{B80-2000}
aws-session-older | AWS session token | FQoGZXIvYXdz{B80-2000}
aws-role-key | AWS role id | AROA{U16}
aws-user-id | AWS user id | AIDA{U16}
aws-bedrock-key | Amazon Bedrock key | ABSK{B80-160}
aws-mws | Amazon MWS token | amzn.mws.{H8}-{H4}-{H4}-{H4}-{H12}
github-pat | GitHub personal access token | ghp_{A36}
github-oauth | GitHub OAuth token | gho_{A36}
github-user | GitHub user-to-server token | ghu_{A36}
github-server-jwt | GitHub server token | ghs_{D1-20}_eyJ{V20-2000}
github-server | GitHub server token | ghs_{A36}
github-refresh | GitHub refresh token | ghr_{A36-76}
github-fine-grained | GitHub fine-grained token | github_pat_{A22}_{A59}
gitlab-pat | GitLab personal access token | glpat-{V20-300}
gitlab-deploy | GitLab deploy token | gldt-{W20-64}
gitlab-runner | GitLab runner token | glrt-{V20-64}
gitlab-pipeline | GitLab trigger token | glptt-{H40}
gitlab-feed | GitLab feed token | glft-{W20-64}
gitlab-ci | GitLab CI job token | glcbt-{A1-5}_{W20-64}
gitlab-oauth | GitLab OAuth secret | gloas-{W64}
gitlab-agent | GitLab agent token | glagent-{W50-64}
gitlab-scim | GitLab SCIM token | glsoat-{W20-64}
openai-project | OpenAI project key | sk-proj-{W20-200}
openai-service | OpenAI service account key | sk-svcacct-{W20-200}
openai-admin | OpenAI admin key | sk-admin-{W20-200}
openai-none | OpenAI key | sk-None-{W20-200}
openai-classic | OpenAI key | sk-{A20}T3BlbkFJ{A20}
anthropic-api | Anthropic key | sk-ant-api{D2}-{W40-120}
anthropic-admin | Anthropic admin key | sk-ant-admin{D2}-{W40-120}
anthropic-oauth | Anthropic OAuth token | sk-ant-oat{D2}-{W40-120}
openrouter | OpenRouter key | sk-or-v1-{H64}
langsmith | LangSmith key | lsv2_pt_{H32}_{H10}
langsmith-service | LangSmith service key | lsv2_sk_{H32}_{H10}
langfuse-secret | Langfuse secret key | sk-lf-{H8}-{H4}-{H4}-{H4}-{H12}
sk-live | secret live key | sk-live-{A16-128}
sk-test | secret test key | sk-test-{A16-128}
sk-generic | secret key | sk-{A32-64}
groq | Groq key | gsk_{A52}
xai | xAI key | xai-{A70-90}
perplexity | Perplexity key | pplx-{A40-64}
huggingface | Hugging Face token | hf_{C34}
huggingface-org | Hugging Face organization token | api_org_{C34}
replicate | Replicate token | r8_{A37-40}
cohere | Cohere key | co_{A38-42}
fireworks | Fireworks key | fw_{A22-40}
together | Together key | tgp_v1_{W40-60}
elevenlabs | ElevenLabs key | sk_{H48}
voyage | Voyage key | pa-{W43}
nvidia | NVIDIA key | nvapi-{W60-80}
cerebras | Cerebras key | csk-{L40-60}
tavily | Tavily key | tvly-{W30-50}
pinecone | Pinecone key | pcsk_{W60-80}
weights-biases | Weights & Biases key | wandb_v1_{W40-90}
google-api | Google API key | AIza{W35}
google-oauth-secret | Google OAuth client secret | GOCSPX-{W28}
google-oauth-token | Google OAuth token | ya29.{W30-300}
google-refresh | Google refresh token | 1//0{W40-200}
slack-bot | Slack bot token | xoxb-{D6-14}-{D6-14}-{A18-48}
slack-bot-old | Slack bot token | xoxb-{D8-14}-{A18-48}
slack-user | Slack user token | xoxp-{D6-14}-{D6-14}-{D6-14}-{A24-48}
slack-bot-short | Slack token | xoxb-{D8-14}-{D8-14}
slack-other | Slack token | xoxo-{D8-14}-{W8-80}
slack-app-short | Slack app token | xapp-{D1}-{U9-14}-{D10-14}
slack-user-short | Slack user token | xoxp-{D6-14}-{W10-80}
slack-app-token | Slack app token | xapp-{D1}-{U9-14}-{D10-14}-{H64}
slack-legacy-app | Slack legacy token | xoxa-{D1-14}-{W8-80}
slack-refresh | Slack refresh token | xoxr-{W20-120}
slack-session | Slack session token | xoxs-{W20-120}
slack-config | Slack configuration token | xoxe.xox{C1}-{D1}-{W100-200}
slack-config-refresh | Slack configuration refresh token | xoxe-{D1}-{W100-200}
slack-webhook | Slack webhook address | https://hooks.slack.com/services/{A4-12}/{A4-14}/{A8-30}
slack-workflow | Slack workflow address | https://hooks.slack.com/workflows/{A4-12}/{A4-14}/{D8-20}/{A8-30}
discord-bot | Discord bot token | {I23-28}.{W6}.{W27-45}
discord-webhook | Discord webhook address | https://discord.com/api/webhooks/{D17-20}/{W60-80}
discordapp-webhook | Discord webhook address | https://discordapp.com/api/webhooks/{D17-20}/{W60-80}
stripe-live | Stripe live key | sk_live_{A20-128}
stripe-test | Stripe test key | sk_test_{A20-128}
stripe-restricted | Stripe restricted key | rk_live_{A20-128}
stripe-restricted-test | Stripe restricted test key | rk_test_{A20-128}
stripe-webhook | Stripe webhook secret | whsec_{B32-64}
square-token | Square access token | sq0atp-{W22}
square-secret | Square OAuth secret | sq0csp-{W43}
square-eaaa | Square access token | EAAA{W60}
paypal-braintree | Braintree token | access_token$production\${L16}\${H32}
paystack | Paystack key | sk_live_{H40}
flutterwave | Flutterwave key | FLWSECK-{X32}-X
flutterwave-test | Flutterwave test key | FLWSECK_TEST-{X32}-X
razorpay-live | Razorpay key | rzp_live_{A14-24}
razorpay-test | Razorpay test key | rzp_test_{A14-24}
plaid-access | Plaid access token | access-production-{H8}-{H4}-{H4}-{H4}-{H12}
plaid-sandbox | Plaid sandbox token | access-sandbox-{H8}-{H4}-{H4}-{H4}-{H12}
mollie | Mollie key | live_{A30-34}
gocardless | GoCardless token | live_{W40}
shopify-token | Shopify access token | shpat_{X32}
shopify-custom | Shopify custom app token | shpca_{X32}
shopify-private | Shopify private app token | shppa_{X32}
shopify-secret | Shopify shared secret | shpss_{X32}
twilio-key | Twilio API key | SK{H32}
twilio-account | Twilio account id | AC{H32}
sendgrid | SendGrid key | SG.{W22}.{W43}
mailgun | Mailgun key | key-{L32}
mailchimp | Mailchimp key | {H32}-us{D1-2}
sendinblue | Brevo key | xkeysib-{H64}-{A16}
sendinblue-smtp | Brevo SMTP key | xsmtpsib-{H64}-{A16}
resend | Resend key | re_{A8}_{A24}
postmark-ses | Postman key | PMAK-{H24}-{H34}
postman-collection | Postman collection key | PMAT-{U26}
npm | npm token | npm_{A36}
pypi | PyPI token | pypi-AgEIcHlwaS5vcmc{W50-400}
pypi-test | TestPyPI token | pypi-AgENdGVzdC5weXBpLm9yZw{W50-400}
rubygems | RubyGems key | rubygems_{H48}
crates | crates.io token | cio{A32}
nuget | NuGet key | oy2{L43}
docker-pat | Docker access token | dckr_pat_{W24-60}
docker-org | Docker organization token | dckr_oat_{W24-60}
jfrog | JFrog key | AKCp{A69}
jfrog-ref | JFrog reference token | cmVmdGtu{A56}
clojars | Clojars token | CLOJARS_{L60}
digitalocean-pat | DigitalOcean token | dop_v1_{H64}
digitalocean-oauth | DigitalOcean OAuth token | doo_v1_{H64}
digitalocean-refresh | DigitalOcean refresh token | dor_v1_{H64}
heroku | Heroku key | HRKU-{W36-70}
netlify | Netlify token | nfp_{A36-40}
vercel | Vercel token | vcp_{A24-64}
render | Render key | rnd_{A28-40}
fly | Fly.io token | fo1_{W43}
fly-macaroon | Fly.io token | fm{D1}_{B100-500}
railway-supabase | Supabase token | sbp_{H40}
supabase-secret | Supabase secret key | sb_secret_{W20-60}
planetscale | PlanetScale token | pscale_tkn_{V32-64}
planetscale-password | PlanetScale password | pscale_pw_{V32-64}
planetscale-oauth | PlanetScale OAuth token | pscale_oauth_{V32-64}
databricks-suffixed | Databricks token | dapi{X32}-{D1}
databricks | Databricks token | dapi{X32}
cloudflare-account | Cloudflare API token | cfat_{A48}
cloudflare-user | Cloudflare user token | cfut_{A48}
cloudflare-key | Cloudflare key | cfk_{A48}
cloudflare-ca | Cloudflare origin CA key | v1.0-{H24}-{H146}
vault-service | HashiCorp Vault token | hvs.{W24-300}
vault-batch | HashiCorp Vault batch token | hvb.{W60-400}
vault-recovery | HashiCorp Vault recovery token | hvr.{W24-300}
terraform | Terraform Cloud token | {A14}.atlasv1.{W60-70}
doppler-personal | Doppler token | dp.pt.{A40-44}
doppler-service | Doppler service token | dp.st.{V40-80}
doppler-cli | Doppler CLI token | dp.ct.{A40-44}
infisical | Infisical token | st.{H24}.{H32}.{H32}
onepassword | 1Password service token | ops_eyJ{B100-800}
onepassword-key | 1Password secret key | A3-{U6}-{U11}-{U5}-{U5}-{U5}
pulumi | Pulumi token | pul-{H40}
tailscale-auth | Tailscale auth key | tskey-auth-{A10-20}-{A20-40}
tailscale-api | Tailscale API key | tskey-api-{A10-20}-{A20-40}
tailscale-client | Tailscale client secret | tskey-client-{A10-20}-{A20-40}
tailscale-scim | Tailscale SCIM key | tskey-scim-{A10-20}-{A20-40}
tailscale-webhook | Tailscale webhook key | tskey-webhook-{A10-20}-{A20-40}
tailscale-other | Tailscale key | tskey-{C3-12}-{A10-20}-{A20-40}
ngrok | ngrok key | ngrok_api_{A20-60}
grafana-service | Grafana service token | glsa_{A32}_{X8}
grafana-cloud | Grafana cloud token | glc_eyJ{B60-400}
grafana-api | Grafana key | eyJrIjoi{B70-400}
newrelic-user | New Relic user key | NRAK-{U27}
newrelic-insert | New Relic insert key | NRII-{W32}
newrelic-browser | New Relic browser key | NRJS-{H19}
newrelic-admin | New Relic admin key | NRAA-{H27}
sentry-user | Sentry user token | sntryu_{H64}
sentry-org | Sentry organization token | sntrys_eyJ{B60-400}
datadog-app | Datadog application key | ddapp_{A34}
dynatrace | Dynatrace token | dt0c01.{U24}.{U64}
dynatrace-s | Dynatrace platform token | dt0s16.{U8}.{U64}
honeycomb | Honeycomb key | hcaik_{L58}
posthog | PostHog personal key | phx_{A40-60}
segment | Segment token | sgp_{A64}
launchdarkly-sdk | LaunchDarkly SDK key | sdk-{H8}-{H4}-{H4}-{H4}-{H12}
launchdarkly-api | LaunchDarkly API token | api-{H8}-{H4}-{H4}-{H4}-{H12}
linear-api | Linear key | lin_api_{A40}
linear-oauth | Linear OAuth secret | lin_oauth_{H64}
notion | Notion token | ntn_{A40-50}
notion-old | Notion secret | secret_{A43}
airtable | Airtable token | pat{A14}.{H64}
atlassian | Atlassian token | ATATT3{W100-300}
bitbucket | Bitbucket app password | ATBB{A32}
bitbucket-ctb | Bitbucket token | ATCTT3{W100-300}
figma | Figma token | figd_{W30-60}
contentful | Contentful token | CFPAT-{W43}
typeform | Typeform token | tfp_{V40-70}
intercom | Intercom token | dG9rO{B50-80}
hubspot | HubSpot private app token | pat-na1-{H8}-{H4}-{H4}-{H4}-{H12}
hubspot-eu | HubSpot private app token | pat-eu1-{H8}-{H4}-{H4}-{H4}-{H12}
zapier-webhook | Zapier hook address | https://hooks.zapier.com/hooks/catch/{D5-10}/{L6-10}
teams-webhook | Teams webhook address | https://outlook.office.com/webhook/{V60-200}
facebook | Facebook access token | EAA{A100-300}
instagram | Instagram token | IGQV{W80-300}
twitter-bearer | X bearer token | AAAAAAAAAAAAAAAAAAAAA{B40-120}
linkedin | LinkedIn token | AQV{W100-400}
dropbox | Dropbox token | sl.{W130-200}
duffel | Duffel token | duffel_live_{W43}
easypost | EasyPost key | EZAK{A54}
easypost-test | EasyPost test key | EZTK{A54}
shippo | Shippo key | shippo_live_{H40}
lob | Lob key | live_{H35}
readme | ReadMe key | rdme_{L70}
sonar-user | SonarQube token | squ_{H40}
sonar-project | SonarQube project token | sqp_{H40}
sonar-global | SonarQube global token | sqa_{H40}
buildkite | Buildkite token | bkua_{H40}
buildkite-agent | Buildkite agent token | bkct_{A40-60}
circleci | CircleCI token | CCIPAT_{A22}_{H40}
codecov-snyk | Snyk token | snyk_uat.{H8}.{V40-300}
scaleway | Scaleway key | SCW{U17}
alibaba | Alibaba access key id | LTAI{A12-22}
tencent | Tencent secret id | AKID{A32}
yandex-iam | Yandex IAM token | t1.{V20-100}.{W86}
yandex-key | Yandex key | AQVN{W35-38}
age-secret | age secret key | AGE-SECRET-KEY-1{U58}
ssh-putty | PuTTY private key file | PuTTY-User-Key-File-{D1}:
gateway-key | gateway service key | svc_live_{A8}_{A38}
json-web-token | JSON web token | eyJ{W10-2000}.eyJ{W10-4000}.{W10-1000}
jwt-encrypted | encrypted JSON web token | eyJ{W10-2000}..{W10-200}.{W10-4000}.{W10-100}
azure-sas | Azure shared access signature | sig={V30-100}%3D
aws-sts-service | AWS service bearer token | ABIA{U16}
aws-context | AWS context credential | ACCA{U16}
aws-certificate | AWS certificate id | ASCA{U16}
google-gemini | Gemini key | AQ.{W40-100}
llama-cloud | LlamaCloud key | llx-{A40-64}
firecrawl | Firecrawl key | fc-{H32}
e2b | E2B key | e2b_{H40}
runpod | RunPod key | rpa_{A40-60}
cursor | Cursor key | crsr_{H64}
cursor-key | Cursor key | key_{H64}
neon | Neon key | napi_{L60-70}
vercel-blob | Vercel Blob token | vercel_blob_rw_{A16}_{A30-40}
mapbox-secret | Mapbox secret token | sk.eyJ{W40-200}.{W20-30}
mailersend | MailerSend token | mlsn.{H64}
frameio | Frame.io token | fio-u-{W60-70}
prefect | Prefect key | pnu_{L36}
gitea | Gitea token | gto_{L52}
defined | Defined Networking token | dnkey-{W26}-{W52}
doppler-audit | Doppler audit token | dp.audit.{A40-44}
doppler-scim | Doppler SCIM token | dp.scim.{A40-44}
sourcegraph | Sourcegraph token | sgp_{X16}_{H40}
clickhouse | ClickHouse Cloud key | 4b1d{A38}
azure-openai | Azure OpenAI key | {A52}JQQJ99{A22-26}
azure-devops | Azure DevOps token | {A76}AZDO{A4}
azure-ad-secret | Azure client secret | {A3}8Q~{V31-34}
azure-ad-secret-old | Azure client secret | {A3}7Q~{V31-34}
gcp-hmac-service | Google Cloud HMAC key id | GOOG1{U50-60}
gcp-hmac-user | Google Cloud HMAC key id | GOOG{U20}
spaces-key | DigitalOcean Spaces key id | DO00{U16}
spaces-key-later | DigitalOcean Spaces key id | DO801{U15}
backblaze | Backblaze application key | K00{D1}{B27}
yandex-static | Yandex secret key | YCP{W37}
yandex-static-managed | Yandex secret key | YCM{W37}
azure-storage | Azure storage key | AccountKey={B86}==
azure-servicebus | Azure shared access key | SharedAccessKey={B43}=
`;

export const SECRET_KINDS: readonly SecretKind[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [id = '', name = '', form = ''] = line.split(' | ');
    return { id, name, form, reach: { before: 0, after: longestOf(form) + 1, ends: 'with its word' } };
  });
