package provenance_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/provenance"
)

// An update in other words than the rule, in eight languages: the last statement of the three replaces the first, and
// the second, about another thing, stays.
func TestUpdatesInEightLanguages(t *testing.T) {
	for _, row := range [][3]string{
		{"Never upload more than 40 files at once.", "Never upload more than 40 images at once.",
			"New limit: never upload more than 60 files at once."},
		{"Invoices of the Oslo branch must be stored for 90 days.", "Invoices of the Rome branch must be stored for 90 days.",
			"Change: invoices of the Oslo branch must be stored for 120 days."},
		{"On the test server, always use the account job-17.", "On the live server, always use the account job-18.",
			"From now on, always use the account job-19 on the test server."},
		{"Für den Testserver musst du immer das Konto job-17 verwenden.", "Für den Liveserver musst du immer das Konto job-18 verwenden.",
			"Ab sofort musst du für den Testserver immer das Konto job-19 verwenden."},
		{"Lade nie mehr als 40 Dateien hoch.", "Lade nie mehr als 40 Bilder hoch.", "Neue Grenze: Lade nie mehr als 60 Dateien hoch."},
		{"Les factures de Lille doivent être gardées 90 jours.", "Les factures de Brest doivent être gardées 90 jours.",
			"Changement : les factures de Lille doivent être gardées 120 jours."},
		{"Invite uniquement des groupes de 12 personnes au plus.", "Il faut répondre en 30 minutes.",
			"Désormais, invite uniquement des groupes de 15 personnes au plus."},
		{"Las facturas de Vigo deben guardarse 90 días.", "Las facturas de Toledo deben guardarse 90 días.",
			"Cambio: las facturas de Vigo deben guardarse 120 días."},
		{"Nunca subas más de 40 archivos.", "Nunca subas más de 40 fotos.", "Nuevo límite: nunca subas más de 60 archivos."},
		{"Никогда не загружай больше 40 файлов.", "Никогда не загружай больше 40 снимков.",
			"Новый предел: никогда не загружай больше 60 файлов."},
		{"Счета из Перми нужно хранить 90 дней.", "Счета из Твери нужно хранить 90 дней.",
			"Изменение: счета из Перми нужно хранить 120 дней."},
		{"一次不要上传超过 40 个文件。", "一次不要上传超过 40 张图片。", "新的限制：一次不要上传超过 60 个文件。"},
		{"广州门店的发票必须保留 90 天。", "西安门店的发票必须保留 90 天。", "更改：广州门店的发票必须保留 120 天。"},
		{"一度に 40 件を超えるファイルを送ってはいけません。", "一度に 40 件を超える画像を送ってはいけません。",
			"新しい上限として、一度に 60 件を超えるファイルを送ってはいけません。"},
		{"京都支店の請求書は必ず 90 日間保存してください。", "奈良支店の請求書は必ず 90 日間保存してください。",
			"今後、京都支店の請求書は必ず 120 日間保存してください。"},
		{"한 번에 40개 넘게 파일을 올리지 마세요.", "한 번에 40개 넘게 사진을 올리지 마세요.", "새 제한: 한 번에 60개 넘게 파일을 올리지 마세요."},
		{"광주 지점의 영수증은 반드시 90일 동안 보관하세요.", "울산 지점의 영수증은 반드시 90일 동안 보관하세요.",
			"이제부터 광주 지점의 영수증은 반드시 120일 동안 보관하세요."},
	} {
		var all []provenance.Constraint
		for _, text := range row {
			found := provenance.Constraints(text)
			require.Len(t, found, 1, text)
			all = append(all, found...)
		}
		require.Equal(t, []provenance.Constraint{all[1], all[2]}, provenance.Latest(all), row[2])
	}
}

// The topic before a colon is no announcement of a change.
func TestTopicsBeforeAColonStay(t *testing.T) {
	all := provenance.Constraints("New files: never write more than 80 lines.\nOld files: never write more than 120 lines.")
	require.Len(t, all, 2)
	require.Equal(t, all, provenance.Latest(all))
}
